import { part, remove } from "../api";
import type { Instance } from "../model";
import { Confirmed } from "../parts/dialog";
import { go, to } from "../router";
import { t } from "../text";

/** Deletes an instance with its history; its list is shown then. */
export function DeleteButton({ instance }: { instance: Instance }) {
  const running = instance.status !== "Finished";
  return (
    <Confirmed
      label={t.instance.remove}
      question={running ? t.instance.confirmRemoveRunning : t.instance.confirmRemove}
      needs="delete:workflow-instances"
      danger
      work={() => remove("/workflow-instances/" + part(instance.id))}
      done={() => go(to("instances"))}
    />
  );
}
