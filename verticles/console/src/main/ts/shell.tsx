import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Empty, Head } from "./parts/basics";
import { Dialog } from "./parts/dialog";
import { go, to, useLocation } from "./router";
import { learn, may, signOut, useSession, whoLooks } from "./session";
import { t } from "./text";
import { changeTheme } from "./theme";
import { AccessView } from "./views/access";
import { AuditView } from "./views/audit";
import { ClusterView } from "./views/cluster";
import { DefinitionsView, DefinitionView } from "./views/definitions";
import { InstanceView } from "./views/instance";
import { InstancesView } from "./views/instances";
import { NodeView } from "./views/node";
import { OverviewView } from "./views/overview";
import { PausedBanner } from "./views/paused";
import { ScheduleView } from "./views/schedule";
import { SignInView } from "./views/signIn";
import { TasksView, TaskView } from "./views/tasks";
import { TimeView } from "./views/time";
import { UnreachableBanner } from "./views/unreachable";

const CHORD_MS = 1_200;

type Name = "overview" | "instances" | "definitions" | "tasks" | "time" | "cluster" | "audit" | "access";

/** A view, its address, its key after `g`, and what one of is needed to see it. */
const PATHS: [Name, string, string, string[]][] = [
  ["overview", "", "o", ["read:workflow-runtime"]],
  ["instances", "instances", "i", ["read:workflow-instances"]],
  ["definitions", "definitions", "d", ["read:workflow-definitions"]],
  ["tasks", "tasks", "t", ["read:user-tasks"]],
  ["time", "time", "m", ["read:workflow-runtime", "read:schedules"]],
  ["cluster", "cluster", "c", ["read:workflow-runtime"]],
  ["audit", "audit", "a", ["read:audit"]],
  ["access", "access", "u", ["read:user", "read:role", "read:application"]],
];

/** Views that the user may see; without authentication there is no access to manage. */
function offered() {
  return PATHS.filter(([name, , , needs]) => needs.some(may) && (name !== "access" || whoLooks() !== null));
}

const ICONS: Record<Name, string> = {
  overview: "M2 9.5h3.2L7 4l3 9 1.8-3.500H14",
  instances: "M2.500 4h11M2.500 8h11M2.500 12h11",
  definitions: "M3 2.500h4v4H3zM9 9.500h4v4H9zM7 4.500h4v5",
  tasks: "M2.500 3.500h11v9h-11zM5 8l2 2 4-4",
  time: "M8 2a6 6 0 100 12A6 6 0 008 2M8 4.500V8l2.500 1.500",
  cluster: "M8 2.200l5 2.900v5.800l-5 2.900-5-2.900V5.100zM8 8v5.500M8 8L3.300 5.300M8 8l4.700-2.700",
  audit: "M3.500 2h6.500l2.500 2.500V14h-9zM6 7h4M6 10h4",
  access: "M8 2.500a2.700 2.700 0 100 5.400 2.700 2.700 0 000-5.400M3 13.500c.600-3 2.600-4 5-4s4.400 1 5 4",
};

/** What an address shows: its view and, where the address names one, the id. */
function viewOf(path: string): { name: Name | undefined; view: JSX.Element } {
  const [first = "", ...rest] = path.split("/");
  const id = rest.length === 1 && rest[0] ? decode(rest[0]) : undefined;
  const name = PATHS.find(([, at]) => at === first)?.[0];
  if (rest.length === 0) {
    switch (name) {
      case "overview":
        return { name, view: <OverviewView /> };
      case "instances":
        return { name, view: <InstancesView /> };
      case "definitions":
        return { name, view: <DefinitionsView /> };
      case "tasks":
        return { name, view: <TasksView /> };
      case "time":
        return { name, view: <TimeView /> };
      case "cluster":
        return { name, view: <ClusterView /> };
      case "audit":
        return { name, view: <AuditView /> };
      case "access":
        return { name, view: <AccessView /> };
    }
  }
  if (id !== undefined && name === "instances") {
    return { name, view: <InstanceView key={id} id={id} /> };
  }
  if (id !== undefined && name === "definitions") {
    return { name, view: <DefinitionView key={id} id={id} /> };
  }
  if (id !== undefined && name === "tasks") {
    return { name, view: <TaskView key={id} id={id} /> };
  }
  if (id !== undefined && name === "time") {
    return { name, view: <ScheduleView key={id} id={id} /> };
  }
  if (id !== undefined && name === "cluster") {
    return { name, view: <NodeView key={id} id={id} /> };
  }
  return {
    name: undefined,
    view: (
      <>
        <Head title={t.common.unknownPage} />
        <Empty>
          <a href={to("")}>{t.nav.overview}</a>
        </Empty>
      </>
    ),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** `/`, `?`, and `g` with a letter. */
function useKeys(help: () => void): void {
  const chord = useRef(0);
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) {
        return;
      }
      const now = Date.now();
      if (event.key === "/") {
        event.preventDefault();
        const field = document.querySelector<HTMLInputElement>("main [data-search]") ?? document.querySelector<HTMLInputElement>(".top [data-global]");
        field?.focus();
        field?.select();
      } else if (event.key === "?") {
        help();
      } else if (event.key === "g") {
        chord.current = now;
      } else if (now - chord.current < CHORD_MS) {
        chord.current = 0;
        const found = offered().find(([, , key]) => key === event.key);
        if (found) {
          event.preventDefault();
          go(to(found[1]));
        }
      }
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}

function Search() {
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem("q") as HTMLInputElement;
        go(to("instances", { q: field.value.trim() }));
        field.value = "";
      }}
    >
      <input name="q" type="search" data-global="" aria-label={t.nav.search} placeholder={t.nav.searchHint} />
    </form>
  );
}

export function Shell() {
  const session = useSession();
  useEffect(() => {
    if (!session.asked && !session.known) {
      void learn();
    }
  }, [session.asked, session.known]);
  if (session.asked) {
    return <SignInView />;
  }
  return session.known ? <Page user={session.name} /> : null;
}

function Page({ user }: { user: string | undefined }) {
  const { path: asked } = useLocation();
  const path = asked === "" ? (offered()[0]?.[1] ?? "") : asked; // the first page is one that they may see
  const [help, setHelp] = useState(false);
  const main = useRef<HTMLElement>(null);
  const { name, view } = viewOf(path);
  useKeys(() => setHelp(true));
  const first = useRef(true);
  useLayoutEffect(() => {
    // With the view, not after it: a key that is pressed at once stays in its field.
    document.title = `${name ? t.nav[name] : t.common.unknownPage} · ${t.name}`;
    if (!first.current) {
      main.current?.focus({ preventScroll: true });
    }
    first.current = false;
    const nav = document.querySelector<HTMLElement>(".side-nav");
    const current = nav?.querySelector<HTMLElement>("[aria-current]");
    if (nav && current) {
      nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2; // on phones it has one row
    }
  }, [path]);
  return (
    <>
      <a class="skip" href="#main" onClick={() => main.current?.focus()}>
        {t.skip}
      </a>
      <div class="top">
        <a class="brand" href={to("")}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M4 14c3-8 5 4 8-4 1-3 2-4 4-4M4 6c3 8 5-4 8 4 1 3 2 4 4 4" />
          </svg>
          {t.name}
        </a>
        <Search />
        {user !== undefined && (
          <button type="button" class="quiet user" onClick={signOut} title={t.signIn.out}>
            {user}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => setHelp(true)} aria-label={t.nav.help} title={t.nav.help}>
          ?
        </button>
        <button type="button" class="quiet" onClick={changeTheme} aria-label={t.nav.theme} title={t.nav.theme}>
          ◐
        </button>
      </div>
      <nav class="side-nav" aria-label={t.nav.label}>
        {offered().map(([one, at, key]) => (
          <a href={to(at)} aria-current={one === name ? "page" : undefined} title={`g ${key}`}>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d={ICONS[one]} />
            </svg>
            {t.nav[one]}
          </a>
        ))}
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        <UnreachableBanner />
        <PausedBanner path={path} />
        {view}
      </main>
      {help && (
        <Dialog title={t.help.title} close={() => setHelp(false)}>
          <dl class="keys">
            {t.help.rows.map(([keys, what]) => (
              <div>
                <dt>
                  <kbd>{keys}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  );
}
