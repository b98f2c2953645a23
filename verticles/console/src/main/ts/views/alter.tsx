import { useEffect, useState } from "preact/hooks";
import { part, post, Problem, useAction, useResource } from "../api";
import type { Definition, Instance } from "../model";
import { Empty, Loading, ProblemBox } from "../parts/basics";
import { Allowed, Confirmed, Dialog } from "../parts/dialog";
import { to } from "../router";
import { t } from "../text";

export interface Skip {
  type: "Skip";
  /** All executions of the activity; or one execution. */
  activityId?: string;
  activityInstanceId?: string;
  output: Record<string, unknown>;
  outcomes: string[];
  reason?: string;
}

export type Alteration =
  | Skip
  | { type: "Migrate"; targetVersion: number }
  | { type: "ScheduleActivity"; activityId: string }
  | { type: "CancelActivity"; activityId: string };

interface Result {
  workflowInstanceId: string;
  isSuccessful: boolean;
  log: { logEntries: { message: string; eventName: string; errors?: string[] }[] };
}

/** Alters each instance as one transition of its own; answers why some were not. */
export async function alter(ids: string[], alterations: Alteration[]): Promise<{ done: number; refused: Problem[] }> {
  const { results } = await post<{ results: Result[] }>("/alterations/run", { alterations, workflowInstanceIds: ids });
  return {
    done: results.filter((one) => one.isSuccessful).length,
    refused: results
      .filter((one) => !one.isSuccessful)
      .map((one) => {
        const entry = one.log.logEntries[0];
        return new Problem(409, t.alter.refused, entry?.message ?? "", entry?.eventName ?? "", entry?.errors ?? []);
      }),
  };
}

export async function alterOne(id: string, alteration: Alteration): Promise<void> {
  const { refused } = await alter([id], [alteration]);
  if (refused[0]) {
    throw refused[0];
  }
}

/** The version that instances migrate to; by default the newest. */
export function VersionChoice(props: { definitionId: string; except?: number; version: number | undefined; choose: (version: number) => void }) {
  const found = useResource<Definition[]>(`/workflow-definitions/${part(props.definitionId)}/versions`);
  const versions = (found.data ?? []).filter((one) => one.version !== props.except).sort((one, other) => other.version - one.version);
  const newest = versions[0]?.version;
  useEffect(() => {
    if (props.version === undefined && newest !== undefined) {
      props.choose(newest);
    }
  }, [newest]);
  if (!found.data) {
    return found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : <Loading />;
  }
  return versions.length === 0 ? (
    <Empty>{t.compare.oneVersion}</Empty>
  ) : (
    <label class="field">
      <span>{t.alter.target}</span>
      <select value={props.version} onChange={(event) => props.choose(Number(event.currentTarget.value))}>
        {versions.map((one) => (
          <option value={one.version}>
            v{one.version} {one.isPublished ? t.definitions.published : t.definitions.draft}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Migrates an instance to another version of its definition. */
export function MigrateButton({ instance, done }: { instance: Instance; done: () => void }) {
  const [open, setOpen] = useState(false);
  const [version, setVersion] = useState<number>();
  const action = useAction();
  return (
    <>
      <Allowed needs="run:alterations">
        <button type="button" onClick={() => setOpen(true)}>
          {t.alter.migrate}
        </button>
      </Allowed>
      {open && (
        <Dialog title={t.alter.migrateTitle} close={() => setOpen(false)}>
          <p>{t.alter.migrateHow}</p>
          <VersionChoice definitionId={instance.definitionId} except={instance.version} version={version} choose={setVersion} />
          {version !== undefined && (
            <p>
              <a href={to("definitions/" + part(instance.definitionId), { tab: "compare", version: String(version), with: String(instance.version) })}>{t.alter.compare}</a>
            </p>
          )}
          <ProblemBox problem={action.problem} />
          <footer>
            <button
              type="button"
              class="strong"
              disabled={action.busy || version === undefined}
              onClick={async () => {
                if (await action.run(() => alterOne(instance.id, { type: "Migrate", targetVersion: version ?? 0 }))) {
                  setOpen(false);
                  done();
                }
              }}
            >
              {t.alter.goMigrate}
            </button>
          </footer>
        </Dialog>
      )}
    </>
  );
}

/** What can be done about one activity of an instance that has not ended. */
export function ActivityActions(props: { instance: Instance; activityId: string; runs: boolean; done: () => void }) {
  const { instance, activityId, runs, done } = props;
  return (
    <>
      <Confirmed
        label={t.alter.runAgain}
        question={t.alter.runAgainQuestion}
        needs="run:alterations"
        work={() => alterOne(instance.id, { type: "ScheduleActivity", activityId })}
        done={done}
      />
      {runs && (
        <Confirmed
          label={t.alter.cancelActivity}
          question={t.alter.cancelActivityQuestion}
          needs="run:alterations"
          danger
          work={() => alterOne(instance.id, { type: "CancelActivity", activityId })}
          done={done}
        />
      )}
    </>
  );
}
