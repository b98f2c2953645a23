import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { part, post, put, remove, useAction, useResource, type Resource } from "../api";
import { type Column, Copy, Empty, Head, Loading, Panel, ProblemBox, Table, Tabs, Time } from "../parts/basics";
import { Allowed, Confirmed, Dialog } from "../parts/dialog";
import { to, useLocation } from "../router";
import { may } from "../session";
import { t } from "../text";

interface User {
  id: string;
  name: string;
  roles: string[];
}

interface Role {
  id: string;
  name: string;
  permissions: string[];
}

interface Application {
  id: string;
  name: string;
  clientId: string;
  roles: string[];
  permissions: string[];
  expiresAt: string | null;
  lastUsedAt: string | null;
}

type Tab = keyof typeof t.access.tabs;

const READS: Record<Tab, string> = { users: "read:user", roles: "read:role", keys: "read:application" };
const DAY_MS = 86_400_000;
const FEW = 4;

/** Words between commas or spaces. */
function words(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

export function AccessView() {
  const { query } = useLocation();
  const names = Object.fromEntries(Object.entries(t.access.tabs).filter(([tab]) => may(READS[tab as Tab]))) as Record<Tab, string>;
  const given = query.get("tab");
  const tab = (given && given in names ? given : Object.keys(names)[0]) as Tab | undefined;
  return (
    <>
      <Head title={t.access.title} />
      <Tabs names={names} selected={tab ?? "users"} href={(name) => to("access", { tab: name })} />
      {tab === "users" && <Users />}
      {tab === "roles" && <Roles />}
      {tab === "keys" && <Keys />}
      {tab === undefined && <Empty>{t.access.nothing}</Empty>}
    </>
  );
}

/** Where the server does not authenticate callers, there are no users to list. */
function Missing({ found }: { found: Resource<unknown> }) {
  return found.problem?.status === 404 ? <Empty>{t.access.open}</Empty> : <ProblemBox problem={found.problem} retry={found.reload} />;
}

/** Of many only their number, until the user opens them. */
function Permissions({ names }: { names: string[] }) {
  const text = names.join(", ") || "–";
  return names.length <= FEW ? (
    <>{text}</>
  ) : (
    <details>
      <summary>{t.access.count(names.length)}</summary>
      {text}
    </details>
  );
}

function roleNames(roles: string[]): string {
  return roles.join(", ") || "–";
}

/** Which roles there are, as far as the user may know. */
function useRoles(): Resource<{ roles: Role[] }> {
  return useResource<{ roles: Role[] }>(may("read:role") ? "/identity/roles" : null);
}

function RoleChoice(props: { roles: Role[] | undefined; chosen: string[]; choose: (roles: string[]) => void }) {
  if (!props.roles) {
    return (
      <label class="field">
        <span>{t.access.roles}</span>
        <input value={props.chosen.join(", ")} onChange={(event) => props.choose(words(event.currentTarget.value))} />
      </label>
    );
  }
  return (
    <fieldset>
      <legend>{t.access.roles}</legend>
      {props.roles.map((role) => (
        <label class="check">
          <input
            type="checkbox"
            checked={props.chosen.includes(role.id)}
            onChange={(event) => props.choose(event.currentTarget.checked ? [...props.chosen, role.id] : props.chosen.filter((one) => one !== role.id))}
          />
          {role.name}
        </label>
      ))}
    </fieldset>
  );
}

/** What is told only now. */
function Secret({ says, secret, close }: { says: string; secret: string; close: () => void }) {
  return (
    <Dialog title={t.access.once} close={close}>
      <p>{says}</p>
      <div class="secret" role="status">
        <code>{secret}</code> <Copy text={secret} />
      </div>
    </Dialog>
  );
}

/** What there is of a kind, and how one of it is added. */
function Register<A, R extends { id: string }>(props: {
  title: string;
  found: Resource<A>;
  rows: (answer: A) => R[];
  columns: Column<R>[];
  none?: string;
  add: string;
  needs: string;
  open: () => void;
  children: ComponentChildren;
}) {
  const { found } = props;
  const rows = found.data && props.rows(found.data);
  const add = (
    <Allowed needs={props.needs}>
      <button type="button" onClick={props.open}>
        {props.add}…
      </button>
    </Allowed>
  );
  return (
    <Panel title={props.title} aside={rows && add}>
      <Missing found={found} />
      {!rows && found.loading && <Loading />}
      {rows?.length === 0 && props.none ? <Empty>{props.none}</Empty> : rows && <Table label={props.title} rows={rows} id={(row) => row.id} columns={props.columns} />}
      {props.children}
    </Panel>
  );
}

function Users() {
  const found = useResource<{ users: User[] }>("/identity/users");
  const roles = useRoles();
  const [editing, setEditing] = useState<User | "new">();
  const [secret, setSecret] = useState("");
  return (
    <Register
      title={t.access.tabs.users}
      found={found}
      rows={(answer) => answer.users}
      add={t.access.addUser}
      needs="create:user"
      open={() => setEditing("new")}
      columns={[
        { title: t.access.name, cell: (one) => one.name },
        { title: t.access.roles, class: "wide", cell: (one) => roleNames(one.roles) },
        {
          title: t.common.actions,
          class: "act",
          cell: (one) => (
            <>
              <Allowed needs="update:user">
                <button type="button" onClick={() => setEditing(one)} aria-label={`${t.access.change} ${one.name}`}>
                  {t.access.change}
                </button>
              </Allowed>
              <Confirmed
                label={t.access.remove}
                about={one.name}
                question={t.access.confirmUser(one.name)}
                needs="delete:user"
                danger
                work={() => remove("/identity/users/" + part(one.id))}
                done={found.reload}
              />
            </>
          ),
        },
      ]}
    >
      {editing !== undefined && (
        <EditUser
          user={editing === "new" ? undefined : editing}
          roles={roles.data?.roles}
          close={() => setEditing(undefined)}
          done={(password) => {
            setEditing(undefined);
            setSecret(password);
            found.reload();
          }}
        />
      )}
      {secret && <Secret says={t.access.passwordOnce} secret={secret} close={() => setSecret("")} />}
    </Register>
  );
}

/** `done` is given the password that was made, if one was. */
function EditUser(props: { user: User | undefined; roles: Role[] | undefined; close: () => void; done: (password: string) => void }) {
  const { user } = props;
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [roles, setRoles] = useState(user?.roles ?? []);
  const action = useAction();
  const save = async () => {
    const given = password ? { password } : {};
    if (user) {
      await put("/identity/users/" + part(user.id), { roles, ...given });
      props.done("");
    } else {
      const made = await post<{ password: string }>("/identity/users", { name, roles, ...given });
      props.done(password ? "" : made.password);
    }
  };
  return (
    <Dialog title={user ? `${t.access.change} ${user.name}` : t.access.addUser} close={props.close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(save);
        }}
      >
        {!user && (
          <label class="field">
            <span>{t.access.name}</span>
            <input value={name} required autocomplete="off" onInput={(event) => setName(event.currentTarget.value)} />
          </label>
        )}
        <label class="field">
          <span>{user ? t.access.newPassword : t.access.password}</span>
          <input type="password" value={password} autocomplete="new-password" onInput={(event) => setPassword(event.currentTarget.value)} />
          <small>{user ? t.access.newPasswordHint : t.access.passwordHint}</small>
        </label>
        <RoleChoice roles={props.roles} chosen={roles} choose={setRoles} />
        <ProblemBox problem={action.problem} />
        <footer>
          <button type="submit" class="strong" disabled={action.busy}>
            {t.access.save}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function Roles() {
  const found = useResource<{ roles: Role[] }>("/identity/roles");
  const [editing, setEditing] = useState<Role | "new">();
  return (
    <Register
      title={t.access.tabs.roles}
      found={found}
      rows={(answer) => answer.roles}
      add={t.access.addRole}
      needs="create:role"
      open={() => setEditing("new")}
      columns={[
        { title: t.access.name, cell: (one) => one.name },
        { title: t.access.permissions, class: "mono wide", cell: (one) => <Permissions names={one.permissions} /> },
        {
          title: t.common.actions,
          class: "act",
          cell: (one) => (
            <>
              <Allowed needs="update:role">
                <button type="button" onClick={() => setEditing(one)} aria-label={`${t.access.change} ${one.name}`}>
                  {t.access.change}
                </button>
              </Allowed>
              <Confirmed
                label={t.access.remove}
                about={one.name}
                question={t.access.confirmRole(one.name)}
                needs="delete:role"
                danger
                work={() => remove("/identity/roles/" + part(one.id))}
                done={found.reload}
              />
            </>
          ),
        },
      ]}
    >
      {editing !== undefined && (
        <EditRole
          role={editing === "new" ? undefined : editing}
          close={() => setEditing(undefined)}
          done={() => {
            setEditing(undefined);
            found.reload();
          }}
        />
      )}
    </Register>
  );
}

function EditRole(props: { role: Role | undefined; close: () => void; done: () => void }) {
  const { role } = props;
  const [name, setName] = useState(role?.name ?? "");
  const [permissions, setPermissions] = useState((role?.permissions ?? []).join("\n"));
  const action = useAction();
  const save = async () => {
    const body = { name, permissions: words(permissions) };
    await (role ? put("/identity/roles/" + part(role.id), body) : post("/identity/roles", body));
    props.done();
  };
  return (
    <Dialog title={role ? `${t.access.change} ${role.name}` : t.access.addRole} close={props.close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(save);
        }}
      >
        <label class="field">
          <span>{t.access.name}</span>
          <input value={name} required autocomplete="off" onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{t.access.permissions}</span>
          <textarea class="code" rows={8} spellcheck={false} value={permissions} onInput={(event) => setPermissions(event.currentTarget.value)} />
          <small>{t.access.permissionsHint}</small>
        </label>
        <ProblemBox problem={action.problem} />
        <footer>
          <button type="submit" class="strong" disabled={action.busy}>
            {t.access.save}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function Keys() {
  const found = useResource<{ applications: Application[] }>("/identity/applications");
  const roles = useRoles();
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState("");
  return (
    <Register
      title={t.access.tabs.keys}
      found={found}
      rows={(answer) => answer.applications}
      none={t.access.noKeys}
      add={t.access.addKey}
      needs="create:application"
      open={() => setAdding(true)}
      columns={[
        { title: t.access.name, cell: (one) => one.name },
        { title: t.access.roles, cell: (one) => roleNames(one.roles) },
        { title: t.access.permissions, class: "mono wide", cell: (one) => <Permissions names={one.permissions} /> },
        { title: t.access.expires, class: "time", cell: (one) => (one.expiresAt ? <Time at={one.expiresAt} /> : t.access.never) },
        { title: t.access.lastUsed, class: "time", cell: (one) => (one.lastUsedAt ? <Time at={one.lastUsedAt} /> : t.access.never) },
        {
          title: t.common.actions,
          class: "act",
          cell: (one) => (
            <Confirmed
              label={t.access.revoke}
              about={one.name}
              question={t.access.confirmKey(one.name)}
              needs="delete:application"
              danger
              work={() => remove("/identity/applications/" + part(one.id))}
              done={found.reload}
            />
          ),
        },
      ]}
    >
      {adding && (
        <AddKey
          roles={roles.data?.roles}
          close={() => setAdding(false)}
          done={(key) => {
            setAdding(false);
            setSecret(key);
            found.reload();
          }}
        />
      )}
      {secret && <Secret says={t.access.keyOnce} secret={secret} close={() => setSecret("")} />}
    </Register>
  );
}

function AddKey(props: { roles: Role[] | undefined; close: () => void; done: (key: string) => void }) {
  const [name, setName] = useState("");
  const [roles, setRoles] = useState<string[]>([]);
  const [permissions, setPermissions] = useState("");
  const [days, setDays] = useState("365");
  const action = useAction();
  const save = async () => {
    const expiresAt = days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null;
    const made = await post<{ apiKey: string }>("/identity/applications", { name, roles, permissions: words(permissions), expiresAt });
    props.done(made.apiKey);
  };
  return (
    <Dialog title={t.access.addKey} close={props.close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(save);
        }}
      >
        <label class="field">
          <span>{t.access.keyFor}</span>
          <input value={name} required autocomplete="off" onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <RoleChoice roles={props.roles} chosen={roles} choose={setRoles} />
        <label class="field">
          <span>{t.access.morePermissions}</span>
          <textarea class="code" rows={3} spellcheck={false} value={permissions} onInput={(event) => setPermissions(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{t.access.days}</span>
          <input type="number" min={1} max={3650} value={days} onInput={(event) => setDays(event.currentTarget.value)} />
        </label>
        <ProblemBox problem={action.problem} />
        <footer>
          <button type="submit" class="strong" disabled={action.busy}>
            {t.access.make}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
