import createClient from "openapi-fetch";
import type { paths } from "./skein.js";

const api = createClient<paths>({ baseUrl: process.argv[2] });

/** The answer, or what the node has refused. */
async function done<T>(answer: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await answer;
  if (data === undefined) {
    throw new Error(JSON.stringify(error));
  }
  return data;
}

const { workflowInstanceId: id } = await done(
  api.POST("/elsa/api/workflow-definitions/{definitionId}/dispatch", {
    params: { path: { definitionId: "ApprovalWorkflow" }, header: { "Idempotency-Key": process.argv[3] } },
    body: { input: { Subject: "the budget" } },
  }),
);
const path = { path: { id } };
while ((await done(api.GET("/elsa/api/workflow-instances/{id}", { params: path }))).subStatus !== "Suspended") {
  await new Promise((resolve) => setTimeout(resolve, 200));
}
console.log((await done(api.POST("/elsa/api/workflow-instances/{id}/resume", { params: path, body: {} }))).status);
const journal = await done(
  api.GET("/elsa/api/workflow-instances/{id}/journal", { params: { ...path, query: { take: 100 } } }),
);
for (const entry of journal.items) {
  console.log(entry.sequence, entry.eventName, entry.activityId);
}
const { error } = await api.POST("/elsa/api/workflow-instances/{id}/resume", { params: path, body: {} });
console.log(error?.status, error?.code);
