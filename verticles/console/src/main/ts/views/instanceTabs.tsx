import { useState } from "preact/hooks";
import { part, post, remove, useAction, useResource } from "../api";
import { json, shortType } from "../format";
import type { Bookmark, Instance, Page, Timer, Variable } from "../model";
import { Copy, Empty, Json, Loading, Panel, ProblemBox, Status, Table, Time } from "../parts/basics";
import { Acting, Allowed, Confirmed, Dialog, JsonField, parse } from "../parts/dialog";
import { QrCode } from "../parts/qr";
import { t } from "../text";
import { DueButtons, isTimed } from "./due";
import { ResumeButton } from "./resume";

interface Shown {
  instance: Instance;
  reload: () => void;
}

export function Variables({ instance, reload }: Shown) {
  const path = `/workflow-instances/${part(instance.id)}/variables`;
  const found = useResource<{ items: Variable[] }>(path, {}, instance.updatedAt);
  const [changing, setChanging] = useState<Variable>();
  if (found.problem) {
    return <ProblemBox problem={found.problem} retry={found.reload} />;
  }
  if (!found.data) {
    return <Loading />;
  }
  const again = () => {
    found.reload();
    reload();
  };
  return (
    <>
      <Panel title={t.instance.variables}>
        {found.data.items.length === 0 ? (
          <Empty>{t.instance.noVariables}</Empty>
        ) : (
          <Table
            label={t.instance.variables}
            rows={found.data.items}
            columns={[
              { title: t.definitions.name, class: "mono", cell: (one) => one.name },
              { title: t.instance.value, class: "wide", cell: (one) => <Json value={json(one.value)} label={one.name} /> },
              {
                title: t.common.actions,
                class: "act",
                cell: (one) =>
                  instance.status !== "Finished" && (
                    <Allowed needs="write:workflow-instances">
                      <button type="button" onClick={() => setChanging(one)} aria-label={`${t.instance.change} ${one.name}`}>
                        {t.instance.change}
                      </button>
                    </Allowed>
                  ),
              },
            ]}
          />
        )}
      </Panel>
      <div class="pair">
        <Panel title={t.instance.input}>
          <Json value={instance.workflowState.input} label={t.instance.input} />
        </Panel>
        <Panel title={t.instance.output}>
          <Json value={instance.workflowState.output} label={t.instance.output} />
        </Panel>
      </div>
      {changing && <ChangeVariable path={path} variable={changing} close={() => setChanging(undefined)} done={again} />}
    </>
  );
}

function ChangeVariable(props: { path: string; variable: Variable; close: () => void; done: () => void }) {
  const [text, setText] = useState(json(props.variable.value));
  const action = useAction();
  const parsed = parse(text, false);
  return (
    <Dialog title={`${t.instance.changeTitle}: ${props.variable.name}`} close={props.close}>
      <JsonField label={t.instance.value} text={text} onText={setText} />
      <ProblemBox problem={action.problem} />
      <footer>
        <button
          type="button"
          class="strong"
          disabled={action.busy || "wrong" in parsed}
          onClick={async () => {
            const variables = [{ id: props.variable.id, value: "value" in parsed ? parsed.value : null }];
            if (await action.run(() => post(props.path, { variables }))) {
              props.close();
              props.done();
            }
          }}
        >
          {t.instance.save}
        </button>
      </footer>
    </Dialog>
  );
}

export function Waits({ instance, reload }: Shown) {
  const timers = useResource<Page<Timer>>("/timers", { workflowInstanceId: instance.id }, instance.updatedAt);
  const { bookmarks } = instance.workflowState;
  return (
    <>
      {bookmarks.length === 0 ? (
        <Panel>
          <Empty>{t.instance.noBookmarks}</Empty>
        </Panel>
      ) : (
        bookmarks.map((bookmark) => <BookmarkPanel key={bookmark.id} instance={instance} bookmark={bookmark} reload={reload} />)
      )}
      <Panel title={t.instance.timers}>
        <ProblemBox problem={timers.problem} retry={timers.reload} />
        {timers.data?.items.length ? (
          <Table
            label={t.instance.timers}
            rows={timers.data.items}
            columns={[
              { title: t.instance.due, cell: (one) => <Time at={one.dueAt} /> },
              { title: t.instance.kind, cell: (one) => one.kind },
              { title: t.instance.attempts, class: "num", cell: (one) => one.attempts },
              { title: t.instances.id, class: "mono", cell: (one) => one.id },
            ]}
          />
        ) : (
          <Empty>{t.instance.noTimers}</Empty>
        )}
      </Panel>
    </>
  );
}

function BookmarkPanel({ instance, bookmark, reload }: Shown & { bookmark: Bookmark }) {
  const path = `/workflow-instances/${part(instance.id)}/bookmarks/${part(bookmark.id)}/tokens`;
  const [expiry, setExpiry] = useState(t.instance.expiry[1]?.[0] ?? "PT24H");
  const [link, setLink] = useState("");
  return (
    <Panel
      title={
        <>
          {bookmark.activityId} <small>{shortType(bookmark.name)}</small>
        </>
      }
      aside={isTimed(bookmark) ? <DueButtons instanceId={instance.id} bookmark={bookmark} done={reload} /> : <ResumeButton id={instance.id} bookmarkId={bookmark.id} done={reload} />}
    >
      <dl class="facts">
        <div>
          <dt>{t.instance.bookmark}</dt>
          <dd class="mono">{bookmark.id}</dd>
        </div>
        <div>
          <dt>{t.instance.since}</dt>
          <dd>
            <Time at={bookmark.createdAt} />
          </dd>
        </div>
        <div>
          <dt>{t.instance.due}</dt>
          <dd>
            <Time at={bookmark.dueAt} />
          </dd>
        </div>
      </dl>
      <Json value={bookmark.payload} label={t.instance.payload} />
      <div class="row-of">
        <strong>{t.instance.link}</strong>
        <span class="faint">{bookmark.hasToken ? t.instance.hasLink : t.instance.noLink}</span>
        <label class="inline">
          {t.instance.expires}
          <select value={expiry} onChange={(event) => setExpiry(event.currentTarget.value)}>
            {t.instance.expiry.map(([value, label]) => (
              <option value={value}>{label}</option>
            ))}
          </select>
        </label>
        <Acting
          label={bookmark.hasToken ? t.instance.replace : t.instance.mint}
          needs="create:resume-tokens"
          work={async () => setLink((await post<{ url: string }>(path, { expiresIn: expiry })).url)}
          done={reload}
        />
        {bookmark.hasToken && <Confirmed label={t.instance.revoke} question={t.instance.hasLink + "."} needs="create:resume-tokens" work={() => remove(path)} done={reload} />}
      </div>
      {link && (
        <div class="secret" role="status">
          <p>{t.instance.linkOnce}</p>
          <code>{link}</code> <Copy text={link} />
          <QrCode text={link} label={t.instance.linkCode} />
        </div>
      )}
    </Panel>
  );
}

export function Incidents({ instance, reload }: Shown) {
  const { incidents } = instance.workflowState;
  if (incidents.length === 0) {
    return (
      <Panel>
        <Empty>{t.instance.noIncidents}</Empty>
      </Panel>
    );
  }
  return (
    <>
      <p class="lead faint">{t.instance.retryHow}</p>
      <p class="lead">{t.instance.incidentHow}</p>
      {incidents.map((one) => (
        <Panel
          key={one.activityInstanceId + " " + one.timestamp}
          title={
            <>
              <Status status="Faulted" /> {one.activityId} <small>{shortType(one.activityType)}</small>
            </>
          }
          aside={
            <Acting
              label={t.instance.retryActivity}
              needs="run:alterations"
              work={() => post(`/workflow-instances/${part(instance.id)}/retry`, { activityIds: [one.activityId] })}
              done={reload}
            />
          }
        >
          <p class="message">{one.message}</p>
          <dl class="facts">
            <div>
              <dt>{t.instance.time}</dt>
              <dd>
                <Time at={one.timestamp} />
              </dd>
            </div>
            <div>
              <dt>{t.instance.type}</dt>
              <dd class="mono">{one.exception?.type ?? "–"}</dd>
            </div>
            <div>
              <dt>{t.instance.code}</dt>
              <dd class="mono">{one.exception?.code ?? "–"}</dd>
            </div>
          </dl>
        </Panel>
      ))}
    </>
  );
}
