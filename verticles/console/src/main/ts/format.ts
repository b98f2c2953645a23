const DAY_MS = 86_400_000;

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", DAY_MS],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const whole = new Intl.NumberFormat("en");

const exact = new Intl.DateTimeFormat("en-GB", {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});

export function ago(at: Date, now: number): string {
  const distance = at.getTime() - now;
  for (const [unit, size] of UNITS) {
    if (Math.abs(distance) >= size) {
      return relative.format(Math.trunc(distance / size), unit);
    }
  }
  return relative.format(0, "second");
}

export function local(at: Date): string {
  const parts = Object.fromEntries(exact.formatToParts(at).map((one) => [one.type, one.value]));
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second}`;
}

export function timeOfDay(at: Date): string {
  return clock.format(at);
}

export function number(value: number | undefined | null): string {
  return value === undefined || value === null ? "–" : whole.format(value);
}

export function duration(ms: number): string {
  if (ms < 1_000) {
    return Math.round(ms) + " ms";
  }
  if (ms < 60_000) {
    return (ms / 1_000).toFixed(ms < 10_000 ? 2 : 1) + " s";
  }
  const seconds = Math.floor(ms / 1_000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days) {
    return `${days} d ${hours} h`;
  }
  return hours ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

export function bytes(value: number): string {
  return value < 1 << 20
    ? (value / 1_024).toFixed(0) + " KiB"
    : value < 1 << 30
      ? (value / (1 << 20)).toFixed(0) + " MiB"
      : (value / (1 << 30)).toFixed(1) + " GiB";
}

const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });

/** A part, 0 to 1. */
export function percent(value: number): string {
  return percents.format(value);
}

export function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}

/** The last word of a type, as `WriteLine` of `Elsa.WriteLine`. */
export function shortType(type: string): string {
  return type.slice(type.lastIndexOf(".") + 1);
}

/** What a field for local times holds, as the instant that is meant. */
export function instant(local: string): string | undefined {
  const time = Date.parse(local);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** An instant as a field for local times holds it; empty where it is none. */
export function localInput(at: Date): string {
  if (Number.isNaN(at.getTime())) {
    return "";
  }
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
