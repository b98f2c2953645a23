import { useEffect, useRef, useState } from "preact/hooks";
import { Problem, problemOf, useAction } from "../api";
import { ProblemBox } from "../parts/basics";
import { signIn } from "../session";
import { t } from "../text";

/** In place of everything else, until it is known who looks. */
export function SignInView() {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const action = useAction();
  useEffect(() => {
    document.title = `${t.signIn.title} · ${t.name}`;
    field.current?.focus();
  }, []);
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
  return (
    <main id="main" class="sign-in">
      <form class="form" onSubmit={submit}>
        <h1>{t.signIn.title}</h1>
        <label class="field wide">
          <span>{t.signIn.name}</span>
          <input ref={field} value={name} autocomplete="username" required onInput={(event) => setName(event.currentTarget.value)} />
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
        <ProblemBox problem={action.problem} />
        <button type="submit" class="strong" disabled={action.busy}>
          {t.signIn.title}
        </button>
      </form>
    </main>
  );
}
