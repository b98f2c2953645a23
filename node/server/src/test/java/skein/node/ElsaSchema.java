package skein.node;

import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Elsa's tables in PostgreSQL, with the columns that the migrations of 3.8 leave. */
final class ElsaSchema {
  private static final OffsetDateTime BEGUN = OffsetDateTime.parse("2026-03-01T10:00:00Z");

  private static final List<String> TABLES =
      List.of(
          "drop schema if exists \"Elsa\" cascade",
          "create schema \"Elsa\"",
          """
          create table "Elsa"."WorkflowDefinitions" (
            "Id" text primary key, "DefinitionId" text not null, "Name" text, "Description" text,
            "ToolVersion" text, "ProviderName" text, "MaterializerName" text not null,
            "MaterializerContext" text, "StringData" jsonb, "BinaryData" bytea,
            "IsReadonly" boolean not null, "Data" text, "UsableAsActivity" boolean,
            "CreatedAt" timestamptz not null, "Version" integer not null,
            "IsLatest" boolean not null, "IsPublished" boolean not null,
            "IsSystem" boolean not null default false, "TenantId" text, "OriginalSource" text)
          """,
          """
          create table "Elsa"."WorkflowInstances" (
            "Id" text primary key, "DefinitionId" text not null,
            "DefinitionVersionId" text not null, "Version" integer not null, "Status" text not null,
            "SubStatus" text not null, "CorrelationId" text, "Name" text,
            "IncidentCount" integer not null default 0, "CreatedAt" timestamptz not null,
            "UpdatedAt" timestamptz not null, "FinishedAt" timestamptz, "Data" text,
            "DataCompressionAlgorithm" text, "IsSystem" boolean not null default false,
            "ParentWorkflowInstanceId" text, "TenantId" text,
            "IsExecuting" boolean not null default false)
          """,
          """
          create table "Elsa"."Bookmarks" (
            "Id" text primary key, "ActivityTypeName" text not null, "Hash" text not null,
            "WorkflowInstanceId" text not null, "ActivityInstanceId" text, "CorrelationId" text,
            "CreatedAt" timestamptz not null, "SerializedMetadata" text, "SerializedPayload" text,
            "TenantId" text, "Name" text)
          """,
          """
          create table "Elsa"."ActivityExecutionRecords" (
            "Id" text primary key, "WorkflowInstanceId" text not null, "ActivityId" text not null,
            "ActivityNodeId" text not null, "ActivityType" text not null,
            "ActivityTypeVersion" integer not null, "ActivityName" text,
            "StartedAt" timestamptz not null, "HasBookmarks" boolean not null,
            "Status" text not null, "CompletedAt" timestamptz, "SerializedActivityState" text,
            "SerializedException" text, "SerializedOutputs" text, "SerializedPayload" text,
            "SerializedActivityStateCompressionAlgorithm" text, "SerializedProperties" text,
            "SerializedMetadata" text, "AggregateFaultCount" integer not null default 0,
            "TenantId" text, "SchedulingActivityExecutionId" text, "SchedulingActivityId" text,
            "SchedulingWorkflowInstanceId" text, "CallStackDepth" integer)
          """,
          """
          create table "Elsa"."WorkflowExecutionLogRecords" (
            "Id" text primary key, "WorkflowDefinitionId" text not null,
            "WorkflowDefinitionVersionId" text not null, "WorkflowInstanceId" text not null,
            "WorkflowVersion" integer not null, "ActivityInstanceId" text not null,
            "ParentActivityInstanceId" text, "ActivityId" text not null,
            "ActivityType" text not null, "ActivityTypeVersion" integer not null,
            "ActivityName" text, "ActivityNodeId" text not null, "Timestamp" timestamptz not null,
            "Sequence" bigint not null, "EventName" text, "Message" text, "Source" text,
            "SerializedActivityState" text, "SerializedPayload" text, "TenantId" text)
          """,
          """
          create table "Elsa"."Labels" (
            "Id" text primary key, "Name" text not null, "NormalizedName" text not null,
            "Description" text, "Color" text, "TenantId" text)
          """,
          """
          create table "Elsa"."WorkflowDefinitionLabels" (
            "Id" text primary key, "WorkflowDefinitionId" text not null,
            "WorkflowDefinitionVersionId" text not null, "LabelId" text not null, "TenantId" text)
          """);

  private final Sql sql;

  ElsaSchema(Sql sql) {
    this.sql = sql;
    TABLES.forEach(sql::rows);
  }

  void fill(ElsaData data) throws IOException {
    data.definitions.forEach(this::insertDefinition);
    for (var state : data.states.values()) {
      insertInstance(state);
    }
    data.labels.forEach((id, name) ->
        sql.rows("insert into \"Elsa\".\"Labels\" values ($1, $2, lower($2))", id, name));
    data.labelled.forEach((version, label) ->
        sql.rows(
            "insert into \"Elsa\".\"WorkflowDefinitionLabels\" values ($1, 'x', $1, $2)",
            version,
            label));
  }

  private void insertDefinition(JsonObject model) {
    var state = new JsonObject();
    for (var name : List.of("options", "inputs", "outputs", "outcomes", "customProperties")) {
      state.put(name, model.getValue(name));
    }
    var variables = model.getJsonArray("variables").copy();
    variables.forEach(variable -> ((JsonObject) variable).remove("isArray"));
    sql.rows(
        """
        insert into "Elsa"."WorkflowDefinitions" ("Id", "DefinitionId", "Name", "ToolVersion",
          "MaterializerName", "StringData", "IsReadonly", "Data", "CreatedAt", "Version",
          "IsLatest", "IsPublished")
        values ($1, $2, $3, '3.8.0.0', $4, $5, false, $6, $7, $8, $9, $10)
        """,
        model.getString("id"),
        model.getString("definitionId"),
        model.getString("name"),
        model.getString("materializer", "Json"),
        model.getJsonObject("root"),
        state.put("variables", variables).encode(),
        BEGUN,
        model.getInteger("version"),
        model.getBoolean("isLatest"),
        model.getBoolean("isPublished"));
  }

  /** Zipped, as a setting of Elsa has it. */
  private void insertInstance(JsonObject state) throws IOException {
    sql.rows(
        """
        insert into "Elsa"."WorkflowInstances" ("Id", "DefinitionId", "DefinitionVersionId",
          "Version", "Status", "SubStatus", "Name", "CreatedAt", "UpdatedAt", "Data",
          "DataCompressionAlgorithm")
        values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, 'GZip')
        """,
        state.getString("id"),
        state.getString("definitionId"),
        state.getString("definitionVersionId"),
        state.getInteger("definitionVersion"),
        state.getString("status"),
        state.getString("subStatus"),
        state.getString("name"),
        BEGUN,
        zipped(state.encode()));
    for (var bookmark : ElsaData.bookmarks(state)) {
      sql.rows(
          """
          insert into "Elsa"."Bookmarks" ("Id", "ActivityTypeName", "Hash", "WorkflowInstanceId",
            "ActivityInstanceId", "CreatedAt", "SerializedPayload")
          values ($1, $2, 'A1', $3, $4, $5, $6)
          """,
          bookmark.getString("id"),
          bookmark.getString("activityTypeName"),
          state.getString("id"),
          bookmark.getString("activityInstanceId"),
          BEGUN,
          bookmark.getJsonObject("payload").encode());
    }
    for (var record : Api.objects(ElsaData.records(state))) {
      sql.rows(
          """
          insert into "Elsa"."ActivityExecutionRecords" ("Id", "WorkflowInstanceId", "ActivityId",
            "ActivityNodeId", "ActivityType", "ActivityTypeVersion", "StartedAt", "CompletedAt",
            "HasBookmarks", "Status", "SerializedActivityState")
          values ($1, $2, $3, $4, $5, 1, $6, $6, false, 'Completed', $7)
          """,
          record.getString("id"),
          state.getString("id"),
          record.getString("activityId"),
          record.getString("activityNodeId"),
          record.getString("activityType"),
          BEGUN,
          record.getJsonObject("activityState").encode());
    }
  }

  /** As if another setting of Elsa had written it. */
  void compressOtherwise(String instanceId) {
    sql.rows(
        """
        update "Elsa"."WorkflowInstances" set "DataCompressionAlgorithm" = 'Zstd' where "Id" = $1
        """,
        instanceId);
  }

  private static String zipped(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new GZIPOutputStream(bytes)) {
      zip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}
