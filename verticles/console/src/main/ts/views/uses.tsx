import { useState } from "preact/hooks";
import { part, post, useResource } from "../api";
import { number, shortType } from "../format";
import type { Activity, Definition } from "../model";
import { Empty, Loading, Panel, ProblemBox, Table } from "../parts/basics";
import { Confirmed } from "../parts/dialog";
import { allOf } from "../parts/layout";
import { to } from "../router";
import { t } from "../text";

/** The definition that an activity starts or is, where the document names it: a value that is computed is not known. */
export function definitionOf(activity: Activity): string | undefined {
  const given = activity.workflowDefinitionId as string | { expression?: { value?: unknown; type?: string } } | null | undefined;
  const value = typeof given === "string" ? given : given?.expression?.type === "Literal" ? given.expression.value : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function DefinitionLink({ id }: { id: string }) {
  return <a href={to("definitions/" + part(id))}>{id}</a>;
}

/** Which definitions have this one as an activity, and which it names. */
export function UsesTab({ definition }: { definition: Definition }) {
  const path = "/workflow-definitions/" + part(definition.definitionId);
  const users = useResource<{ consumingWorkflowDefinitionIds: string[] }>(path + "/consumers");
  const [updated, setUpdated] = useState<number>();
  const ids = users.data?.consumingWorkflowDefinitionIds;
  const used = (definition.root ? allOf(definition.root) : []).flatMap((activity) => {
    const id = definitionOf(activity);
    return id === undefined ? [] : [{ activity, id }];
  });
  return (
    <>
      <Panel
        title={t.definitions.usedBy}
        aside={
          ids &&
          ids.length > 0 && (
            <Confirmed
              label={t.definitions.update}
              question={t.definitions.confirmUpdate}
              needs="publish:workflow-definitions"
              work={async () => setUpdated((await post<{ affectedWorkflows: string[] }>(path + "/update-references")).affectedWorkflows.length)}
              done={users.reload}
            />
          )
        }
      >
        <ProblemBox problem={users.problem} retry={users.reload} />
        {updated !== undefined && <p role="status">{t.definitions.updated(number(updated))}</p>}
        {!ids ? (
          !users.problem && <Loading />
        ) : ids.length === 0 ? (
          <Empty>{t.definitions.noUsers}</Empty>
        ) : (
          <Table label={t.definitions.usedBy} rows={ids} columns={[{ title: t.definitions.title, cell: (id) => <DefinitionLink id={id} /> }]} />
        )}
      </Panel>
      <Panel title={t.definitions.usesOthers}>
        {used.length === 0 ? (
          <Empty>{t.definitions.usesNone}</Empty>
        ) : (
          <Table
            label={t.definitions.usesOthers}
            rows={used}
            columns={[
              { title: t.definitions.title, cell: (one) => <DefinitionLink id={one.id} /> },
              {
                title: t.definitions.by,
                cell: (one) => (
                  <>
                    {one.activity.name || one.activity.id} <small class="faint">{shortType(one.activity.type)}</small>
                  </>
                ),
              },
            ]}
          />
        )}
      </Panel>
    </>
  );
}
