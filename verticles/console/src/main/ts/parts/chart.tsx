import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { local } from "../format";

export interface Series {
  label: string;
  /** The name of a colour in the style sheet. */
  color: string;
  values: (number | null)[];
  bars?: boolean;
}

const HEIGHT_PX = 190;

function colorOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const DAY_S = 86_400;

/** Distances of labels, in seconds: none that would have two labels of the same text. */
const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, DAY_S, 2 * DAY_S, 7 * DAY_S, 30 * DAY_S];

/** As exact as the distance of the labels asks for. */
function labels(splits: number[]): string[] {
  const step = (splits[1] ?? 0) - (splits[0] ?? 0);
  return splits.map((split) => {
    const text = local(new Date(split * 1_000));
    return step >= DAY_S ? text.slice(5, 10) : step >= 60 ? text.slice(11, 16) : text.slice(11);
  });
}

function options(width: number, series: Series[]): uPlot.Options {
  const axis: uPlot.Axis = {
    stroke: () => colorOf("--faint"),
    grid: { stroke: () => colorOf("--line"), width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
    size: 34,
  };
  const bars = uPlot.paths.bars?.({ size: [0.8, 60] });
  return {
    width,
    height: HEIGHT_PX,
    padding: [10, 20, 0, 0],
    cursor: { points: { size: 6 }, y: false },
    legend: { live: true },
    scales: { y: { range: (_, __, max) => [0, Math.max(1, max) * 1.08] } },
    axes: [
      { ...axis, size: 28, space: 70, incrs: TIME_STEPS, values: (_, splits) => labels(splits) },
      { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000] },
    ],
    series: [
      { label: "", value: (_, at) => (at === null ? "" : local(new Date(at * 1_000))) },
      ...series.map((one): uPlot.Series => ({
        label: one.label,
        stroke: () => colorOf(one.color),
        fill: () => colorOf(one.color) + (one.bars ? "" : "22"),
        width: one.bars ? 0 : 1.6,
        value: (_, value) => (value === null ? "" : String(value)),
        points: { show: false },
        ...(one.bars && bars ? { paths: bars } : {}),
      })),
    ],
  };
}

/** Curves over time; `times` are seconds since the epoch. The table of figures is for those who do not see it. */
export function Chart({ label, times, series }: { label: string; times: number[]; series: Series[] }) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const shape = series.map((one) => one.label).join();
  useEffect(() => {
    const element = place.current;
    if (!element) {
      return;
    }
    const made = new uPlot(options(element.clientWidth, series), [[], ...series.map(() => [])], element);
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    resized.observe(element);
    const recolored = () => made.redraw();
    window.addEventListener("skein-theme", recolored);
    return () => {
      window.removeEventListener("skein-theme", recolored);
      resized.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape]);
  useEffect(() => {
    plot.current?.setData([times, ...series.map((one) => one.values)]);
  }, [times, series]);
  const sums = series.map((one) => `${one.label} ${one.values.reduce<number>((sum, value) => sum + (value ?? 0), 0)}`);
  return <div class="chart" ref={place} role="img" aria-label={`${label}: ${sums.join(", ")}`} />;
}
