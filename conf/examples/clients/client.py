import sys
import time

import skein_client

api = skein_client.ApiClient(skein_client.Configuration(host=sys.argv[1]))
starts = skein_client.StartsApi(api)
instances = skein_client.InstancesApi(api)

started = starts.dispatch_definition(
    "ApprovalWorkflow",
    dispatch_definition_request=skein_client.DispatchDefinitionRequest(input={"Subject": "the budget"}),
    idempotency_key=sys.argv[2],
)
id = started.workflow_instance_id
while instances.get_instance(id).sub_status != "Suspended":
    time.sleep(0.2)
print(instances.resume_instance(id).status)
for entry in skein_client.JournalApi(api).get_journal(id, take=100).actual_instance.items:
    print(entry.sequence, entry.event_name, entry.activity_id)
try:
    instances.resume_instance(id)
except skein_client.ApiException as refused:
    print(refused.status, refused.body)
