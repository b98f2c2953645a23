import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Problem, problemOf, useAction } from "../api";
import { ProblemBox } from "../parts/basics";
import { signIn, signInAt, signOutElsewhere, takeRefusal, useSession, waysToSignIn, type Ways } from "../session";
import { t } from "../text";

/** In place of everything else, until it is known who looks. */
export function SignInView() {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const action = useAction();
  const [ways, setWays] = useState<Ways | null>(null);
  useSession(); // it learns later where users sign out elsewhere
  useEffect(() => {
    document.title = `${t.signIn.title} · ${t.name}`;
    void waysToSignIn().then(setWays);
    const refusal = takeRefusal();
    if (refusal) {
      void action.run(async () => {
        throw await problemOf(refusal);
      });
    }
  }, []);
  useLayoutEffect(() => field.current?.focus(), [ways]); // with the field: nothing that is typed at once lands elsewhere
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const answer = await signIn(name, password);
      if (answer instanceof Response) {
        throw await problemOf(answer);
      }
      if (!answer) {
        setPassword("");
        throw new Problem(401, t.signIn.refused, t.signIn.refusedDetail, "UNAUTHENTICATED");
      }
    });
  };
  const elsewhere = signOutElsewhere();
  return (
    <main id="main" class="sign-in">
      <form class="form" onSubmit={submit}>
        <h1>{t.signIn.heading}</h1>
        {elsewhere && (
          <p>
            <a href={elsewhere}>{t.signIn.elsewhere}</a>
          </p>
        )}
        {ways && (ways.passwords || ways.providers.length === 0) && (
          <>
            <label class="field wide">
              <span>{t.signIn.name}</span>
              <input
                ref={field}
                value={name}
                autocomplete="username"
                required
                onInput={(event) => setName(event.currentTarget.value)}
              />
            </label>
            <label class="field wide">
              <span>{t.signIn.password}</span>
              <input
                type="password"
                value={password}
                autocomplete="current-password"
                required
                onInput={(event) => setPassword(event.currentTarget.value)}
              />
            </label>
            <button type="submit" class="strong" disabled={action.busy}>
              {t.signIn.title}
            </button>
          </>
        )}
        <ProblemBox problem={action.problem} />
        {ways?.providers.map((provider) => (
          <button type="button" onClick={() => signInAt(provider)}>
            {t.signIn.at(provider.name)}
          </button>
        ))}
      </form>
    </main>
  );
}
