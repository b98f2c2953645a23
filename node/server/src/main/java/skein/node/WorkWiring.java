package skein.node;

import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import skein.activities.SecretNames;
import skein.codecs.JsonLimits;
import skein.definitions.SecretPresence;
import skein.metrics.WorkMetrics;
import skein.node.config.NodeConfig;
import skein.node.config.Secret;
import skein.node.config.SecretFolder;
import skein.node.config.WorkConfig;
import skein.work.CustomActivities;
import skein.work.HttpWorkOptions;
import skein.work.HttpWorker;
import skein.work.MailOptions;
import skein.work.MailWorker;
import skein.work.Password;
import skein.work.SecretSource;
import skein.work.SqlWorkOptions;
import skein.work.SqlWorker;
import skein.work.Targets;
import skein.work.Workers;

/** The workers of a node, from its configuration. */
final class WorkWiring {
  private WorkWiring() {}

  static Workers of(
      NodeConfig config, JsonLimits json, CustomActivities own, Vertx vertx, WorkMetrics metrics) {
    var work = config.work();
    var secrets = SecretFolder.of(work.folders().secrets());
    return new Workers(
        vertx,
        List.of(
            new HttpWorker(vertx, http(work.http(), secrets(config), json), secrets),
            new SqlWorker(vertx, sql(work.sql()), secrets),
            new MailWorker(vertx, mail(work.mail())),
            own.worker(vertx, secrets)),
        metrics);
  }

  /** The secrets that this node has; none without a folder. */
  static SecretPresence presence(NodeConfig config, Vertx vertx) {
    var source = SecretFolder.of(config.work().folders().secrets());
    return names ->
        vertx
            .executeBlocking(() -> missing(source, names), false)
            .map(found -> found == null ? SecretPresence.Missing.NONE : found);
  }

  private static SecretPresence.Missing missing(SecretSource source, Set<String> names) {
    var missing = names.stream().filter(name -> !isThere(source, name)).collect(Collectors.toSet());
    return missing.isEmpty()
        ? SecretPresence.Missing.NONE
        : new SecretPresence.Missing(missing, source.names());
  }

  private static boolean isThere(SecretSource source, String name) {
    try {
      source.secret(name);
      return true;
    } catch (SecretSource.MissingException _) {
      return false;
    }
  }

  /** Headers of callers that are not stored, and not sent on to other origins. */
  static SecretNames secrets(NodeConfig config) {
    var names = config.http().secrets();
    return new SecretNames(names.headers(), names.parameters());
  }

  private static SqlWorkOptions sql(WorkConfig.Sql sql) {
    var sources = new HashMap<String, SqlWorkOptions.Source>();
    sql.sources()
        .forEach((name, source) ->
            sources.put(
                name,
                new SqlWorkOptions.Source(
                    source.url().value(),
                    source.user(),
                    password(source.password()),
                    source.poolSize())));
    var reading = sql.reading();
    return new SqlWorkOptions(
        sources,
        sql.timeout(),
        sql.rowsMax(),
        sql.rowsBytesMax(),
        new SqlWorkOptions.Reading(reading.largeBytes(), reading.bytesPerSecondMax()));
  }

  private static Password password(Secret secret) {
    return new Password(secret.value(), secret.file() == null ? null : secret::now);
  }

  private static MailOptions mail(WorkConfig.Mail mail) {
    var security =
        switch (mail.security()) {
          case STARTTLS -> MailOptions.Security.STARTTLS;
          case TLS -> MailOptions.Security.TLS;
          case NONE -> MailOptions.Security.NONE;
        };
    return new MailOptions(
        new MailOptions.Server(
            mail.host(), mail.port(), security, mail.user(), password(mail.password())),
        mail.from(),
        mail.timeout(),
        mail.connectionsMax(),
        mail.bytesMax());
  }

  private static HttpWorkOptions http(WorkConfig.Http http, SecretNames secrets, JsonLimits json) {
    return new HttpWorkOptions(
        new HttpWorkOptions.Timeouts(http.timeout(), http.connectTimeout()),
        new HttpWorkOptions.Answers(
            http.responseBytesMax(),
            http.fileBytesMax(),
            json.withBytesMax(http.responseBytesMax())),
        http.redirectsMax(),
        http.connectionsMax(),
        new Targets(
            http.denyPrivate(),
            http.allowPrivate().stream().map(Targets.Exemption::parse).toList()),
        secrets);
  }
}
