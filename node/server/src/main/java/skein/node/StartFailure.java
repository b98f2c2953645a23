package skein.node;

import skein.identity.Identity;
import skein.model.SkeinException;
import skein.node.dev.DevJar;
import skein.node.hazelcast.HazelcastMember;
import skein.node.hazelcast.Peers;
import skein.peers.ClusterSecret;
import skein.peers.GuardedMember;
import skein.peers.UnusableTlsException;
import skein.storage.DatabaseRefusedException;
import skein.storage.Migrations;
import skein.storage.SchemaLockedException;

/** The message when a node does not start. */
final class StartFailure {
  private StartFailure() {}

  /** True when the sentence is enough: the cause lies outside of the program. */
  static boolean isExpected(Throwable e) {
    return !code(e).isEmpty();
  }

  /** The stable code, whatever the sentence says; empty for a defect. */
  private static String code(Throwable e) {
    return switch (e) {
      case Migrations.DatabaseTooOldException _ -> "DATABASE_TOO_OLD";
      case Migrations.UnsafeDatabaseException _ -> "DATABASE_UNSAFE";
      case Migrations.SchemaTooNewException _ -> "SCHEMA_TOO_NEW";
      case Migrations.SchemaInUseException _ -> "SCHEMA_IN_USE";
      case Migrations.SchemaNotMigratedException _ -> "SCHEMA_NOT_MIGRATED";
      case SchemaLockedException _ -> "SCHEMA_LOCKED";
      case TenancyCheck.TenantsThereException _ -> "TENANTS_THERE";
      case DatabaseRefusedException _ -> "DATABASE_REFUSED";
      case HazelcastMember.OtherDatabaseException _ -> "OTHER_DATABASE";
      case GuardedMember.SecretDiffersException _ -> "CLUSTER_SECRET_DIFFERS";
      case GuardedMember.TlsDiffersException differs -> differs.code().name();
      case ClusterSecret.UnusableException _ -> "CLUSTER_SECRET_UNUSABLE";
      case UnusableTlsException unusable ->
          switch (unusable.use()) {
            case BETWEEN_NODES -> "CLUSTER_TLS_UNUSABLE";
            case HTTPS -> "HTTPS_UNUSABLE";
          };
      case Peers.UnprotectedException _ -> "CLUSTER_UNPROTECTED";
      case SecurityWiring.UnprotectedException _ -> "SECURITY_UNPROTECTED";
      case Identity.NobodyException _ -> "SECURITY_NOBODY";
      case DevJar.MissingException _ -> "DEV_JAR_MISSING";
      case SkeinException login when login.getCause() instanceof DatabaseRefusedException ->
          "DATABASE_REFUSED";
      case SkeinException refused -> refused.code().name();
      default -> "";
    };
  }

  /** As {@link #sentence}, after the code if there is one. */
  static String line(Throwable e) {
    var code = code(e);
    return (code.isEmpty() ? "" : code + ": ") + sentence(e);
  }

  static String sentence(Throwable e) {
    var text = new StringBuilder(said(e));
    for (var cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (text.indexOf(said(cause)) < 0) {
        text.append(": ").append(said(cause));
      }
    }
    return text.toString();
  }

  private static String said(Throwable e) {
    var message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
