import { useEffect, useRef, useState } from "preact/hooks";
import { number } from "../format";
import type { ClusterNode, Partitions } from "../model";
import { t } from "../text";

const COLORS = 8;

/** How long a part that has another owner stands out. */
const MOVED_MS = 10_000;

/** The parts whose owner has changed a moment ago, while this page was seen. */
function useMoved(owners: (string | null)[]): Set<number> {
  const known = useRef(owners);
  const [moved, setMoved] = useState(new Map<number, number>());
  useEffect(() => {
    const now = Date.now();
    const changed = owners.flatMap((owner, index) => (known.current.length === owners.length && owner !== known.current[index] ? [index] : []));
    known.current = owners;
    if (changed.length > 0) {
      setMoved((before) => new Map([...before, ...changed.map((index): [number, number] => [index, now + MOVED_MS])]));
    }
  }, [owners]);
  useEffect(() => {
    if (moved.size === 0) {
      return;
    }
    const next = Math.min(...moved.values());
    const timer = window.setTimeout(() => setMoved((before) => new Map([...before].filter(([, until]) => until > next))), Math.max(0, next - Date.now()));
    return () => window.clearTimeout(timer);
  }, [moved]);
  return new Set(moved.keys());
}

/** One cell for each part, in the colour of its owner, whose number it also bears. */
export function Owners({ owners, nodes }: { owners: Partitions; nodes: ClusterNode[] }) {
  const ids = [...new Set([...nodes.map((one) => one.id), ...owners.owners.filter((one): one is string => one !== null)])];
  const name = (id: string) => nodes.find((one) => one.id === id)?.name ?? id;
  const moved = useMoved(owners.owners);
  const counts = ids.map((id) => owners.owners.filter((one) => one === id).length);
  return (
    <>
      <ul class="legend">
        {ids.map((id, index) => (
          <li>
            <i class={"cell c" + (index % COLORS)} aria-hidden="true">
              {index + 1}
            </i>
            {name(id)} <span class="faint">{number(counts[index])}</span>
          </li>
        ))}
      </ul>
      <p class="faint" role="status">
        {moved.size > 0 && t.cluster.moved(number(moved.size))}
      </p>
      <div class="cells" role="img" aria-label={ids.map((id, index) => `${name(id)}: ${counts[index]}`).join(", ")}>
        {owners.owners.map((owner, index) => {
          const at = owner === null ? -1 : ids.indexOf(owner);
          return (
            <i class={"cell " + (at < 0 ? "nobody" : "c" + (at % COLORS)) + (moved.has(index) ? " moved" : "")} title={`${index}: ${owner === null ? t.common.none : name(owner)}`}>
              {at < 0 ? "–" : at + 1}
            </i>
          );
        })}
      </div>
    </>
  );
}
