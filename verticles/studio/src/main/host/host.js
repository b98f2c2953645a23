"use strict";

// The page around Elsa Studio's custom elements: which of them is shown, by the path, and for whom.
(() => {
  const BASE = new URL(document.baseURI).pathname;
  const API = new URL("../elsa/api", document.baseURI).href;
  const KEY = "skein.studio.tokens";
  const RENEW_BEFORE_MS = 60_000;
  const RENEW_AGAIN_MS = 10_000;

  const DEFINITIONS = "workflows/definitions";
  const INSTANCES = "workflows/instances";
  const definitionPath = (id) => `${DEFINITIONS}/${encodeURIComponent(id)}/edit`;
  const instancePath = (id) => `${INSTANCES}/${encodeURIComponent(id)}/view`;

  const byId = (id) => document.getElementById(id);

  // Studio defines this in a script inside its markup, which the Content-Security-Policy refuses.
  const KEYS = { s: "OnHotKeysCtrlS", S: "OnHotKeysCtrlShiftS", r: "OnHotKeysCtrlR" };
  window.editorHotkeys = {
    register(component) {
      this.dispose();
      // The list knows Ctrl+R alone, the editor the other two: the rest is left to the browser.
      const keys = path().startsWith(INSTANCES) ? ["r"] : ["s", "S"];
      this.listener = (event) => {
        if ((event.ctrlKey || event.metaKey) && keys.includes(event.key)) {
          event.preventDefault();
          component.invokeMethodAsync(KEYS[event.key]);
        }
      };
      window.addEventListener("keydown", this.listener);
    },
    dispose() {
      window.removeEventListener("keydown", this.listener);
    },
  };

  // --- who is signed in

  let tokens = null;
  let renewal;

  function keep(next) {
    tokens = next;
    if (next) {
      sessionStorage.setItem(KEY, JSON.stringify(next));
    } else {
      sessionStorage.removeItem(KEY);
    }
    byId("host-sign-out").hidden = !next;
    clearTimeout(renewal);
    if (next) {
      const lives = expiry(next.accessToken) - Date.now();
      renewal = setTimeout(renew, Math.max(lives - RENEW_BEFORE_MS, lives / 2, 1_000));
    }
  }

  /** What a token says; nothing when it cannot be read. */
  function claims(token) {
    try {
      return JSON.parse(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")));
    } catch {
      return {};
    }
  }

  /** When a token ends, in milliseconds since 1970; in five minutes when it does not say. */
  function expiry(token) {
    return claims(token).exp * 1_000 || Date.now() + 300_000;
  }

  /** Null when the tokens are refused. Throws when no node answers. */
  async function exchange(route, options) {
    const response = await fetch(API + route, { method: "POST", ...options });
    if (response.status === 401 || response.status === 403) {
      return null;
    }
    if (!response.ok) {
      throw new Error(`${route} was answered with ${response.status}`);
    }
    const found = await response.json();
    return found.isAuthenticated ? found : null;
  }

  /** Null when the session has ended. */
  const renewed = (used) =>
    exchange("/identity/refresh-token", {
      headers: { Authorization: `Bearer ${used.refreshToken}` },
    });

  async function renew() {
    const used = tokens;
    let next;
    try {
      next = await renewed(used);
    } catch {
      renewal = setTimeout(renew, RENEW_AGAIN_MS);
      return;
    }
    if (used !== tokens) {
      return;
    }
    keep(next);
    if (!next) {
      // The elements stay, so that what an editor has not saved yet is there after the sign-in.
      await signIn();
      if (claims(tokens.accessToken).sub !== claims(used.accessToken).sub) {
        location.reload();
        return;
      }
    }
    // The elements read their attributes once: this one carries the new token to all of them.
    const provider = element("elsa-backend-provider", {});
    provider.hidden = true;
    document.body.append(provider);
  }

  /** Whether the API answers this caller. */
  async function isAdmitted() {
    const response = await fetch(`${API}/features/installed`, {
      headers: tokens ? { Authorization: `Bearer ${tokens.accessToken}` } : {},
    });
    return response.status !== 401;
  }

  /** The tokens of a user who comes back from a provider: fetched once, and not by an address. */
  async function arrive() {
    if (location.hash !== "#signed-in") {
      return;
    }
    history.replaceState(null, "", location.pathname + location.search);
    const response = await fetch(`${API}/identity/oidc/session`, { method: "POST" });
    const found = await response.json();
    if (response.ok) {
      keep(found);
    } else {
      byId("host-refusal").textContent = `${found.detail} (${found.code})`;
    }
  }

  /** A button for each provider; without one, or with users of the cluster, the form too. */
  async function offerProviders() {
    const response = await fetch(`${API}/identity/oidc/providers`).catch(() => null);
    const ways = response?.ok ? await response.json() : { passwords: true, providers: [] };
    byId("host-password").disabled = !ways.passwords && ways.providers.length > 0;
    byId("host-providers").replaceChildren(
      ...ways.providers.map(({ name, issuer }) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = `Sign in with ${name}`;
        button.addEventListener("click", () => {
          const returnTo = `/studio/${path()}${location.search}`;
          location.assign(`${API}/identity/oidc/login?${new URLSearchParams({ issuer, returnTo })}`);
        });
        return button;
      }),
    );
  }

  async function signIn() {
    const form = byId("host-sign-in");
    await offerProviders();
    form.hidden = false;
    byId("host-view").inert = true;
    return new Promise((done) => {
      form.onsubmit = async (event) => {
        event.preventDefault();
        const { username, password } = Object.fromEntries(new FormData(form));
        const refusal = byId("host-refusal");
        refusal.textContent = "";
        try {
          const found = await exchange("/identity/login", {
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ username, password }),
          });
          if (found) {
            keep(found);
            form.reset();
            form.hidden = true;
            byId("host-view").inert = false;
            done();
          } else {
            refusal.textContent = "Name or password is wrong.";
          }
        } catch (problem) {
          refusal.textContent = `Sign-in failed: ${problem.message}`;
        }
      };
    });
  }

  byId("host-sign-out").addEventListener("click", async () => {
    const used = tokens;
    keep(null);
    let next = null;
    try {
      const response = await fetch(`${API}/identity/logout`, {
        method: "POST",
        headers: { Authorization: `Bearer ${used.refreshToken}` },
      });
      next = response.ok ? (await response.json()).providerUrl : null;
    } catch {
      // the session ends by itself
    }
    if (next && confirm("You are signed out here. Sign out of your provider, too?")) {
      location.assign(next);
    } else {
      location.reload();
    }
  });

  // --- what is shown

  function element(name, more) {
    const made = document.createElement(name);
    made.setAttribute("remote-endpoint", API);
    if (tokens) {
      made.setAttribute("access-token", tokens.accessToken);
    }
    for (const [attribute, value] of Object.entries(more)) {
      made.setAttribute(attribute, value);
    }
    return made;
  }

  const path = () => location.pathname.slice(BASE.length).replace(/\/$/, "");

  /** Blazor defines them some time after its start; what is set before is lost. */
  const defined = Promise.all(
    [
      "elsa-workflow-definition-list",
      "elsa-workflow-definition-editor",
      "elsa-workflow-instance-list",
      "elsa-workflow-instance-viewer",
    ].map((name) => customElements.whenDefined(name)),
  );

  /** The element for a path; null when there is none. */
  function view(at) {
    const [, kind, id] = at.split("/").map(decodeURIComponent);
    switch (at.replace(/^(workflows\/[a-z]+)\/[^/]+\//, "$1/:id/")) {
      case DEFINITIONS: {
        const list = element("elsa-workflow-definition-list", {});
        list.editWorkflowDefinition = (chosen) => go(definitionPath(chosen));
        return list;
      }
      case `${DEFINITIONS}/:id/edit`:
        return element("elsa-workflow-definition-editor", { "definition-id": id });
      case INSTANCES: {
        const list = element("elsa-workflow-instance-list", {});
        list.viewWorkflowInstance = (chosen) => go(instancePath(chosen));
        return list;
      }
      case `${INSTANCES}/:id/view`: {
        const viewer = element("elsa-workflow-instance-viewer", { "instance-id": id });
        viewer.editWorkflowDefinition = (chosen) => go(definitionPath(chosen));
        return viewer;
      }
      default:
        return null;
    }
  }

  let shown;
  let turn = Promise.resolve();

  /** One element at a time: each brings a popover provider, and two of those are an error. */
  function show() {
    const at = path();
    if (at === shown) {
      return;
    }
    shown = at;
    turn = turn.then(async () => {
      if (at !== shown) {
        return;
      }
      const room = byId("host-view");
      const old = room.firstElementChild;
      if (old) {
        await (await old._addRootComponentPromise)?.dispose();
        old.remove();
      }
      await defined;
      if (at !== shown) {
        return;
      }
      const next = view(at);
      if (next) {
        byId("host-message").hidden = true;
        room.append(next);
      } else {
        tell("There is no such page in Studio.");
      }
      for (const link of document.querySelectorAll(".host-bar a")) {
        const current = at.startsWith(`workflows/${link.dataset.section}`);
        link.toggleAttribute("aria-current", current);
        if (current) {
          link.setAttribute("aria-current", "page");
        }
      }
    });
    turn = turn.catch((problem) => tell(`The page could not be shown: ${problem.message}`));
  }

  function tell(sentence) {
    const message = byId("host-message");
    message.hidden = false;
    message.textContent = sentence;
  }

  /** By Blazor, so that it knows where it is: tables write their state to the address. */
  function go(to) {
    window.Blazor.navigateTo(BASE + to);
  }

  for (const name of ["pushState", "replaceState"]) {
    const own = history[name].bind(history);
    history[name] = (...given) => {
      own(...given);
      if (started) {
        queueMicrotask(show);
      }
    };
  }
  window.addEventListener("popstate", () => started && show());

  // Links of Studio begin at the root of the server, which is not where it is served.
  document.addEventListener(
    "click",
    (event) => {
      const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
      if (!link || !link.href || event.ctrlKey || event.metaKey || event.shiftKey) {
        return;
      }
      const to = new URL(link.href);
      if (to.origin !== location.origin) {
        return;
      }
      if (to.pathname.startsWith(BASE + "workflows/") || to.pathname.startsWith("/workflows/")) {
        event.preventDefault();
        event.stopPropagation();
        const below = to.pathname.startsWith(BASE) ? BASE.length : 1;
        go(to.pathname.slice(below) + to.search);
      }
    },
    true,
  );

  let started = false;

  async function start() {
    try {
      keep(JSON.parse(sessionStorage.getItem(KEY)));
      await arrive();
      // A refresh token is for one use: no other renewal beside this one.
      clearTimeout(renewal);
      if (await isAdmitted()) {
        keep(tokens);
      } else {
        keep(tokens && (await renewed(tokens)));
        if (!tokens) {
          await signIn();
        }
      }
    } catch (problem) {
      tell(`The server does not answer: ${problem.message}`);
      return;
    }
    started = true;
    if (!path()) {
      history.replaceState(null, "", BASE + DEFINITIONS);
    }
    show();
  }

  window.addEventListener("load", start);
})();
