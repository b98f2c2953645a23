package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.http.ElsaClientWorld.items;

import java.util.List;
import java.util.Map;
import skein.activities.Json;

/** What is asked of the methods that say what there is, and of those that try and sign in. */
final class ElsaClientDesignerCases {
  private final ElsaClientWorld world;

  ElsaClientDesignerCases(ElsaClientWorld world) {
    this.world = world;
  }

  void add() {
    descriptors();
    world.add(
        "IFeaturesApi.GetAsync",
        () -> {
          var feature = world.call("IFeaturesApi.GetAsync", "fullName", "Elsa.WorkflowRuntime");
          assertThat(feature.json()).containsEntry("name", "WorkflowRuntime");
          world.client.refused("IFeaturesApi.GetAsync", 404, "fullName", "Elsa.Nothing");
        });
    world.add(
        "IPackageApi.GetAsync",
        () ->
            assertThat(world.call("IPackageApi.GetAsync").json().get("packageVersion"))
                .asString()
                .startsWith("3."));
    world.add("ILoginApi.LoginAsync", this::login);
    world.add("IJavaScriptApi.GetTypeDefinitions", this::typeDefinitions);
    world.add("ITestsApi.TestActivityAsync", this::trial);
  }

  private void descriptors() {
    world.add(
        "IActivityDescriptorsApi.ListAsync",
        () -> {
          var all =
              world.call("IActivityDescriptorsApi.ListAsync", "query", Map.of("Refresh", true));
          assertThat(ElsaClientWorld.column(items(all), "typeName"))
              .contains("Elsa.Flowchart", "Elsa.HttpEndpoint", "Elsa.WriteLine");
        });
    world.add(
        "IActivityDescriptorOptionsApi.GetAsync",
        () -> {
          var key = "IActivityDescriptorOptionsApi.GetAsync";
          var type = "Elsa.HttpEndpoint";
          var options =
              world.call(
                  key,
                  "activityTypeName",
                  type,
                  "propertyName",
                  "SupportedMethods",
                  "body",
                  Map.of());
          assertThat(Json.object(options.json().get("items"))).containsKey("checklist");
          world.client.refused(
              key, 404, "activityTypeName", type, "propertyName", "Nothing", "body", Map.of());
        });
    for (var api :
        List.of(
            "ICommitStrategiesApi.ListWorkflowStrategiesAsync",
            "IExpressionDescriptorsApi.ListAsync",
            "IFeaturesApi.ListAsync",
            "IIncidentStrategiesApi.ListAsync",
            "ILogPersistenceStrategiesApi.ListAsync",
            "IStorageDriversApi.ListAsync",
            "IVariableTypesApi.ListAsync",
            "IWorkflowActivationStrategiesApi.ListAsync")) {
      world.add(api, () -> assertThat(items(world.call(api))).isNotEmpty());
    }
    for (var api :
        List.of(
            "ICommitStrategiesApi.ListActivityStrategiesAsync",
            "IWorkflowContextProviderDescriptorsApi.ListAsync")) {
      world.add(api, () -> assertThat(items(world.call(api))).isEmpty());
    }
    var resilience = "IResilienceStrategiesApi.ListAsync";
    world.add(
        resilience, () -> assertThat(items(world.call(resilience, "category", "HTTP"))).isEmpty());
    var converters = "IOutputConvertersApi.ListAsync";
    var types = Map.of("sourceType", "String", "destinationType", "List<Int32>");
    world.add(
        converters, () -> assertThat(items(world.call(converters, "query", types))).isEmpty());
  }

  private void login() throws Exception {
    var key = "ILoginApi.LoginAsync";
    var name = GuardedServer.ADMIN;
    var signedIn =
        world
            .call(key, "body", Map.of("username", name, "password", GuardedServer.PASSWORD))
            .json();
    var bearer = "Bearer " + signedIn.get("accessToken");

    assertThat(signedIn).containsEntry("isAuthenticated", true);
    assertThat(world.server.get("/features/installed", bearer).statusCode()).isEqualTo(200);
    assertThat(world.call(key, "body", Map.of("username", name, "password", "wrong")).json())
        .containsEntry("isAuthenticated", false)
        .containsEntry("accessToken", null);
    world.client.refused(key, 400, "body", Map.of());
  }

  private void typeDefinitions() throws Exception {
    world.saved("typed", ElsaClientWorld.WRITES, false);
    var key = "IJavaScriptApi.GetTypeDefinitions";
    var answer =
        world.call(
            key,
            "definitionId",
            "typed",
            "body",
            Map.of(
                "workflowDefinitionId",
                "typed",
                "activityTypeName",
                "Elsa.WriteLine",
                "propertyName",
                "Text"));

    assertThat(answer.text()).contains("declare function");
    assertThat(answer.header("Content-Type")).startsWith("application/x-typescript");
  }

  private void trial() throws Exception {
    var version = world.saved("tried", ElsaClientWorld.WRITES, false);
    var key = "ITestsApi.TestActivityAsync";
    var activity = Map.of("activityId", "W");

    for (var handle :
        List.of(
            Map.of("definitionVersionId", ElsaClientWorld.id(version)),
            Map.of("definitionId", "tried", "versionOptions", "Latest"))) {
      var done =
          world.call(
              key, "body", Map.of("workflowDefinitionHandle", handle, "activityHandle", activity));
      assertThat(done.json()).containsEntry("status", "Completed").containsEntry("exception", null);
    }
    var broken = world.saved("tried-fault", ElsaClientWorld.FAULTS, false);
    var failed =
        world.call(
            key,
            "body",
            Map.of(
                "workflowDefinitionHandle",
                Map.of("definitionVersionId", ElsaClientWorld.id(broken)),
                "activityHandle",
                Map.of("activityId", "F")));
    assertThat(failed.json()).containsEntry("status", "Faulted");
    assertThat(Json.object(failed.json().get("exception"))).containsEntry("message", "Broken");
  }
}
