import { useState } from "preact/hooks";
import { part, post, useResource } from "../api";
import { shortType } from "../format";
import type { Activity, Declaration, Definition, Page } from "../model";
import { Empty, Head, Json, Loading, Panel, ProblemBox, Status, Table, Tabs, Time } from "../parts/basics";
import { Acting, Confirmed } from "../parts/dialog";
import { Diagram } from "../parts/diagram";
import { go, to, useLocation } from "../router";
import { t } from "../text";
import { CompareTab } from "./compare";
import { EditTab } from "./editTab";
import { StartButton } from "./start";
import { UsageTab } from "./usage";
import { definitionOf, UsesTab } from "./uses";

const PAGE = 500;

function state(one: Definition) {
  return one.isPublished ? <Status status={t.definitions.published} kind="ok" /> : <Status status={one.isLatest ? t.definitions.draft : t.definitions.earlier} kind="none" />;
}

export function DefinitionsView() {
  const { query } = useLocation();
  const q = query.get("q") ?? "";
  const found = useResource<Page<Definition>>("/workflow-definitions", { versionOptions: "Latest", searchTerm: q, pageSize: PAGE });
  const rows = found.data?.items;
  return (
    <>
      <Head title={t.definitions.title} />
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label class="field wide">
          <span>{t.definitions.search}</span>
          <input type="search" data-search="" value={q} onInput={(event) => go(to("definitions", { q: event.currentTarget.value }), true)} />
        </label>
      </form>
      <ProblemBox problem={found.problem} retry={found.reload} />
      {rows ? (
        rows.length === 0 ? (
          <Empty>{q ? t.definitions.noneFound : t.definitions.none}</Empty>
        ) : (
          <Panel>
            <Table
              label={t.definitions.title}
              rows={rows}
              columns={[
                {
                  title: t.definitions.name,
                  cell: (one) => <a href={to("definitions/" + part(one.definitionId))}>{one.name || one.definitionId}</a>,
                },
                { title: t.definitions.id, class: "mono", cell: (one) => one.definitionId },
                { title: t.definitions.version, class: "num", cell: (one) => one.version },
                { title: t.instances.status, cell: state },
                { title: t.definitions.description, class: "wide", cell: (one) => one.description && <span class="clamped" title={one.description}>{one.description}</span> },
                { title: t.definitions.created, class: "time", cell: (one) => <Time at={one.createdAt} /> },
                {
                  title: t.definitions.instances,
                  cell: (one) => (
                    <a href={to("instances", { definition: one.definitionId })} aria-label={`${t.definitions.instances}: ${one.definitionId}`}>
                      {t.definitions.show}
                    </a>
                  ),
                },
              ]}
            />
          </Panel>
        )
      ) : (
        !found.problem && <Loading />
      )}
    </>
  );
}

type Tab = keyof typeof t.definitions.tabs;

/** As it was saved: without what is filled in for Elsa's designer. */
const SOURCE = { format: "source" };

export function DefinitionView({ id }: { id: string }) {
  const { query } = useLocation();
  const version = query.get("version") ?? undefined;
  const given = query.get("tab");
  const tab: Tab = given && given in t.definitions.tabs ? (given as Tab) : "diagram";
  const path = "/workflow-definitions/" + part(id);
  const versions = useResource<Definition[]>(path + "/versions", SOURCE);
  const chosen = versions.data?.find((one) => (version ? String(one.version) === version : one.isLatest));
  const found = useResource<Definition>(version ? (chosen ? "/workflow-definitions/by-id/" + part(chosen.id) : null) : path, SOURCE);
  const definition = found.data;
  const again = () => {
    versions.reload();
    found.reload();
  };
  const problem = found.problem ?? versions.problem;
  if (!definition) {
    return (
      <>
        <Head title={id} />
        {problem ? <ProblemBox problem={problem} retry={again} /> : <Loading />}
      </>
    );
  }
  const may = (rel: string) => !definition.links || definition.links.some((link) => link.rel === rel);
  return (
    <>
      <nav class="crumbs" aria-label={t.definitions.title}>
        <a href={to("definitions")}>{t.definitions.title}</a>
      </nav>
      <Head
        title={definition.name || id}
        sub={
          <>
            {state(definition)} v{definition.version} <span class="mono faint">{id}</span> <span>{definition.description}</span>
          </>
        }
      >
        <a class="button" href={to("instances", { definition: id })}>
          {t.definitions.instances}
        </a>
        {definition.isPublished && may("retract") && (
          <Confirmed label={t.definitions.retract} question={t.definitions.confirmRetract} needs="retract:workflow-definitions" danger work={() => post(path + "/retract")} done={again} />
        )}
        {!definition.isPublished && definition.isLatest && may("publish") && (
          <Acting label={t.definitions.publish} needs="publish:workflow-definitions" class="strong" work={() => post(path + "/publish")} done={again} />
        )}
        {definition.isPublished && <StartButton definition={definition} />}
      </Head>
      <ProblemBox problem={problem} retry={again} />
      <Tabs
        names={t.definitions.tabs}
        selected={tab}
        href={(name) => to("definitions/" + part(id), { version, tab: name === "diagram" ? undefined : name })}
      />
      {tab === "diagram" && <DiagramTab definition={definition} />}
      {tab === "usage" && <UsageTab definition={definition} />}
      {tab === "compare" && <CompareTab definition={definition} versions={versions.data ?? []} />}
      {tab === "uses" && <UsesTab definition={definition} />}
      {tab === "inputs" && <Declared definition={definition} />}
      {tab === "edit" && <EditTab key={definition.id} definition={definition} mayEdit={may("import")} mayPublish={may("publish")} saved={again} />}
      {tab === "versions" && (
        <Panel>
          <Table
            label={t.definitions.versions}
            rows={versions.data ?? []}
            columns={[
              {
                title: t.definitions.version,
                cell: (one) => <a href={to("definitions/" + part(id), { version: String(one.version) })}>v{one.version}</a>,
              },
              { title: t.instances.status, cell: state },
              { title: "", cell: (one) => (one.isLatest ? t.definitions.latest : "") },
              { title: t.definitions.created, class: "time", cell: (one) => <Time at={one.createdAt} /> },
              {
                title: t.definitions.instances,
                cell: (one) => (
                  <a href={to("instances", { definition: id, version: String(one.version) })} aria-label={`${t.definitions.instances} v${one.version}`}>
                    {t.definitions.show}
                  </a>
                ),
              },
            ]}
          />
        </Panel>
      )}
    </>
  );
}

function DiagramTab({ definition }: { definition: Definition }) {
  const [selected, setSelected] = useState<Activity>();
  if (!definition.root) {
    return <Empty>{t.diagram.empty}</Empty>;
  }
  return (
    <div class="split">
      <Panel class="flush">
        <Diagram root={definition.root} selected={selected?.id} select={setSelected} />
      </Panel>
      <Panel title={selected ? selected.name || selected.id : t.instance.activity} aside={selected && shortType(selected.type)} class="side">
        {selected && definitionOf(selected) && (
          <p>
            {t.definitions.usesOthers} <a href={to("definitions/" + part(definitionOf(selected) ?? ""))}>{definitionOf(selected)}</a>
          </p>
        )}
        {selected ? <Json value={selected} label={selected.id} /> : <Empty>{t.diagram.choose}</Empty>}
      </Panel>
    </div>
  );
}

function Declared({ definition }: { definition: Definition }) {
  const groups: [string, Declaration[]][] = [
    [t.definitions.inputs, definition.inputs ?? []],
    [t.definitions.outputs, definition.outputs ?? []],
    [t.definitions.variables, definition.variables ?? []],
  ];
  return (
    <>
      {groups.map(([title, rows]) => (
        <Panel title={title}>
          {rows.length === 0 ? (
            <Empty>{t.definitions.noInputs}</Empty>
          ) : (
            <Table
              label={title}
              rows={rows}
              columns={[
                { title: t.definitions.name, class: "mono", cell: (one) => one.name },
                { title: t.definitions.type, class: "mono", cell: (one) => one.type ?? one.typeName },
                { title: t.definitions.description, class: "wide", cell: (one) => one.description && <span class="clamped" title={one.description}>{one.description}</span> },
              ]}
            />
          )}
        </Panel>
      ))}
    </>
  );
}
