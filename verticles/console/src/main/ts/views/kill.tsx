import { part, post } from "../api";
import type { ClusterNode } from "../model";
import { Confirmed } from "../parts/dialog";
import { t } from "../text";

/** Ends the process of a node, where the cluster is one to try things with. */
export function KillButton({ node, done }: { node: ClusterNode; done: () => void }) {
  return (
    <Confirmed
      label={`${t.tour.kill} ${node.name}`}
      question={t.tour.confirmKill(node.name)}
      needs="ManageWorkflowRuntime"
      danger
      work={() => post(`/cluster/nodes/${part(node.id)}/kill`)}
      done={done}
    />
  );
}
