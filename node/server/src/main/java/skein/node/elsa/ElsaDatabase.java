package skein.node.elsa;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.SkeinException;
import skein.node.dev.CannotStartException;
import skein.storage.ElsaTables;

/** Elsa by its tables in PostgreSQL, all as of the moment when they were opened. */
public final class ElsaDatabase implements ElsaSource {
  /** Of one statement, in seconds. */
  private static final int ANSWER_SECONDS_MAX = 60;

  private static final String OF_ALL = "*";

  private final Vertx vertx;
  private final ElsaTables tables;
  private final String tenant;

  private ElsaDatabase(Vertx vertx, ElsaTables tables, String tenant) {
    this.vertx = vertx;
    this.tables = tables;
    this.tenant = tenant;
  }

  /**
   * Connects.
   *
   * @param password null: that of the URI, if it has one
   * @param tenant whose rows are taken; empty: those of the default tenant
   * @throws CannotStartException when that is not possible
   */
  public static ElsaDatabase open(
      String uri, @Nullable String password, String schema, String tenant) {
    var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try {
      return new ElsaDatabase(vertx, awaited(opening(vertx, uri, password, schema)), tenant);
    } catch (RuntimeException e) {
      vertx.close();
      throw e;
    }
  }

  /** What the client says of an address has the address in it, and with it the password. */
  private static Future<ElsaTables> opening(
      Vertx vertx, String uri, @Nullable String password, String schema) {
    try {
      return ElsaTables.open(vertx, uri, password, schema);
    } catch (RuntimeException _) {
      throw new CannotStartException(
          "--database is not an address of PostgreSQL, or has an option or a character that cannot"
              + " be read: give it as postgresql://role@host:5432/database, and the password by"
              + " --database-password-file");
    }
  }

  private static <T> T awaited(Future<T> future) {
    try {
      return future.await(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new CannotStartException(
          "The database of Elsa did not answer within " + ANSWER_SECONDS_MAX + " s", e);
    } catch (SkeinException | IllegalStateException e) {
      throw new CannotStartException("The database of Elsa: " + e.getMessage(), e);
    }
  }

  private static List<Map<String, @Nullable Object>> rows(Future<List<String>> reading) {
    var rows = new ArrayList<Map<String, @Nullable Object>>();
    for (var text : awaited(reading)) {
      rows.add(JsonText.parseObject(text, JsonLimits.STORED));
    }
    return rows;
  }

  @Override
  public List<ElsaDefinition> definitions() {
    var names = new HashMap<String, String>();
    rows(tables.labels())
        .forEach(label -> names.put(Json.textOr(label, "id"), Json.textOr(label, "name")));
    var byVersion = new HashMap<String, List<String>>();
    for (var row : rows(tables.labelled())) {
      var id = Json.textOr(row, "labelId");
      byVersion
          .computeIfAbsent(Json.textOr(row, "workflowDefinitionVersionId"), _ -> new ArrayList<>())
          .add(names.getOrDefault(id, id));
    }
    var all = new ArrayList<ElsaDefinition>();
    for (var row : rows(tables.definitions())) {
      var labels = byVersion.getOrDefault(Json.textOr(row, "id"), List.of());
      var definition = DefinitionRow.read(row, labels.stream().sorted().toList());
      var foreign = foreign(row);
      all.add(foreign == null ? definition : definition.refused(foreign));
    }
    return all;
  }

  /** Null where the row belongs to the tenant that is asked for, or to all. */
  private @Nullable Refusal foreign(Map<?, ?> row) {
    var owner = Json.textOr(row, "tenantId");
    return owner.equals(tenant) || owner.equals(OF_ALL)
        ? null
        : new Refusal(
            Reason.OTHER_TENANT,
            owner.isEmpty()
                ? "it belongs to the default tenant: omit --tenant"
                : "it belongs to the tenant " + owner + ": give it as --tenant");
  }

  @Override
  public List<String> labels() {
    return rows(tables.labels()).stream().map(label -> Json.textOr(label, "name")).toList();
  }

  @Override
  public List<ElsaInstance> unfinished() {
    var all = new ArrayList<ElsaInstance>();
    for (var row : rows(tables.unfinished())) {
      var summary = new LinkedHashMap<String, @Nullable Object>();
      row.forEach((column, value) -> summary.put(InstanceRow.camel(column), value));
      all.add(new ElsaInstance(summary, foreign(row)));
    }
    return all;
  }

  @Override
  public Map<String, @Nullable Object> file(ElsaInstance instance) {
    var id = instance.id();
    return InstanceRow.file(
        new InstanceRow.Rows(
            rows(tables.instance(id)).getFirst(),
            rows(tables.bookmarks(id)),
            rows(tables.records(id)),
            rows(tables.log(id))));
  }

  /** The tables do not say it. */
  @Override
  public @Nullable String contradiction() {
    return null;
  }

  @Override
  public void close() {
    try {
      awaited(tables.close());
    } finally {
      vertx.close();
    }
  }
}
