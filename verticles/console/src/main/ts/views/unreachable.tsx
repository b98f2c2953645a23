import { useEffect } from "preact/hooks";
import { useConnection } from "../connection";
import { Mark } from "../parts/basics";
import { knock } from "../session";
import { t } from "../text";

/** How often a node that does not answer is asked again. */
const LOOK_MS = 2_000;

/** On every page while the node does not answer, which is asked until it does; the view then goes on by itself. */
export function UnreachableBanner() {
  const answers = useConnection();
  useEffect(() => {
    if (answers) {
      return;
    }
    const look = () => {
      if (!document.hidden) {
        knock();
      }
    };
    const timer = window.setInterval(look, LOOK_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [answers]);
  if (answers) {
    return null;
  }
  return (
    <section class="banner" aria-label={t.connection.label} role="status">
      <Mark kind="warn" />
      <div>
        <strong>{t.common.unreachable}</strong>
        <p>{t.connection.stale}</p>
      </div>
    </section>
  );
}
