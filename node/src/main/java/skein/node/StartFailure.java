package skein.node;

import skein.model.SkeinException;
import skein.node.hazelcast.HazelcastMember;
import skein.storage.Migrations;

/** What to tell people when a node does not start. */
final class StartFailure {
  private StartFailure() {}

  /** True when the sentence is enough: the cause lies outside of the program. */
  static boolean isExpected(Throwable e) {
    return e instanceof Migrations.SchemaTooNew
        || e instanceof Migrations.SchemaInUse
        || e instanceof Migrations.UnsafeDatabase
        || e instanceof HazelcastMember.OtherDatabaseException
        || e instanceof SkeinException;
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
