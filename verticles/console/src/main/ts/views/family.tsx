import { useEffect, useState } from "preact/hooks";
import { get, part, useResource } from "../api";
import { number } from "../format";
import type { Instance, InstanceSummary, Page } from "../model";
import { Loading, Panel, ProblemBox, Status, Time } from "../parts/basics";
import { to } from "../router";
import { t } from "../text";

/** Instances above one, at most; a family that is deeper begins with the last of them. */
const ANCESTORS_MAX = 20;

/** What one instance has started and is shown at once. */
const CHILDREN_SHOWN = 50;

const PATH = "/workflow-instances";

async function parentOf(one: InstanceSummary): Promise<InstanceSummary | undefined> {
  const id = one.parentWorkflowInstanceId;
  return id === null ? undefined : (await get<Page<InstanceSummary>>(PATH, { ids: [id] })).items[0];
}

/** From the first that is known to the instance itself. One that was deleted ends the row. */
function useLineage(instance: Instance): InstanceSummary[] | undefined {
  const [lineage, setLineage] = useState<InstanceSummary[]>();
  useEffect(() => {
    let gone = false;
    const look = async () => {
      const found: InstanceSummary[] = [instance];
      for (let above = await parentOf(instance); above && found.length < ANCESTORS_MAX && !found.some((one) => one.id === above?.id); above = await parentOf(above)) {
        found.unshift(above);
      }
      return found;
    };
    look()
      .catch(() => [instance])
      .then((found) => gone || setLineage(found));
    return () => {
      gone = true;
    };
  }, [instance.id, instance.updatedAt]);
  return lineage;
}

/** Who started the instance, and what it has started, as a tree that is opened by and by. */
export function Family({ instance }: { instance: Instance }) {
  const lineage = useLineage(instance);
  const [first, ...below] = lineage ?? [];
  return (
    <Panel title={t.instance.tree} aside={<a href={to("instances", { parent: instance.id })}>{t.instance.all}</a>}>
      {first ? (
        <ul class="tree">
          <Member one={first} line={below} current={instance.id} />
        </ul>
      ) : (
        <Loading />
      )}
    </Panel>
  );
}

/** `line`: those below, down to the one that is looked at; its branch is open. */
function Member({ one, line, current }: { one: InstanceSummary; line: InstanceSummary[]; current: string }) {
  const [open, setOpen] = useState(line.length > 0 || one.id === current);
  const name = one.name || one.correlationId || one.id;
  return (
    <li>
      <div class="row-of">
        <button type="button" class="quiet" aria-expanded={open} aria-label={t.instance.open(name)} onClick={() => setOpen(!open)}>
          {open ? "▾" : "▸"}
        </button>
        <Status status={one.subStatus} />
        {one.id === current ? (
          <strong aria-current="true">
            {name} <small>{t.instance.thisOne}</small>
          </strong>
        ) : (
          <a href={to("instances/" + part(one.id), { tab: "family" })}>{name}</a>
        )}
        <span class="faint">
          {one.definitionId} v{one.version}
        </span>
        <Time at={one.createdAt} />
      </div>
      {open && <Children of={one} line={line} current={current} />}
    </li>
  );
}

function Children({ of, line, current }: { of: InstanceSummary; line: InstanceSummary[]; current: string }) {
  const found = useResource<Page<InstanceSummary>>(PATH, { parentWorkflowInstanceId: of.id, take: CHILDREN_SHOWN }, of.updatedAt);
  const [next, ...below] = line;
  if (!found.data) {
    return found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : <Loading />;
  }
  const { items, totalCount } = found.data;
  const shown = next && !items.some((one) => one.id === next.id) ? [next, ...items] : items;
  if (shown.length === 0) {
    return <p class="faint">{t.instance.noChildren}</p>;
  }
  return (
    <ul>
      {shown.map((one) => (
        <Member key={one.id} one={one} line={one.id === next?.id ? below : []} current={current} />
      ))}
      {totalCount > items.length && (
        <li>
          <a href={to("instances", { parent: of.id })}>{t.instance.moreChildren(number(totalCount - items.length))}</a>
        </li>
      )}
    </ul>
  );
}
