package skein.identity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The caller of a request. */
public sealed interface Caller {
  /** Not authenticated. */
  record Anonymous() implements Caller {
    public static final Anonymous INSTANCE = new Anonymous();

    @Override
    public String label() {
      return "anonymous";
    }

    @Override
    public String taskUser() {
      return "";
    }

    @Override
    public List<String> roles() {
      return List.of();
    }

    @Override
    public Permissions permissions() {
      return Permissions.NONE;
    }

    @Override
    public String tenant() {
      return "";
    }
  }

  /**
   * A person.
   *
   * @param name by which tasks are assigned to them
   * @param roles also the groups of which they perform tasks
   * @param userId of the cluster's user who signed in with a password; null: a provider knows them
   */
  record User(
      String name,
      List<String> roles,
      Permissions permissions,
      String tenant,
      @Nullable String userId)
      implements Caller {
    public User {
      roles = List.copyOf(roles);
    }

    /** A person who is not a user of the cluster. */
    public User(String name, List<String> roles, Permissions permissions, String tenant) {
      this(name, roles, permissions, tenant, null);
    }

    /** A user of the default tenant. */
    public User(String name, List<String> roles, Permissions permissions) {
      this(name, roles, permissions, "");
    }

    @Override
    public String label() {
      return "user:" + name;
    }

    @Override
    public String taskUser() {
      return name;
    }
  }

  /**
   * A program with an API key.
   *
   * @param name which a user may have, too
   * @param roles also the groups of which it performs tasks
   */
  record Application(String name, List<String> roles, Permissions permissions, String tenant)
      implements Caller {
    /** Precedes the names of applications where those of users are meant, so none of a user. */
    public static final String PREFIX = "application:";

    public Application {
      roles = List.copyOf(roles);
    }

    /** An application of the default tenant. */
    public Application(String name, List<String> roles, Permissions permissions) {
      this(name, roles, permissions, "");
    }

    @Override
    public String label() {
      return PREFIX + name;
    }

    @Override
    public String taskUser() {
      return PREFIX + name;
    }
  }

  /**
   * A program with a client certificate. Those who make applications choose their names, so none of
   * an application means it.
   *
   * @param name the common name of the subject
   * @param roles also the groups of which it performs tasks
   */
  record Certificate(String name, List<String> roles, Permissions permissions) implements Caller {
    /** Precedes the names of certificates where those of users are meant, so none of a user. */
    public static final String PREFIX = "certificate:";

    public Certificate {
      roles = List.copyOf(roles);
    }

    @Override
    public String label() {
      return PREFIX + name;
    }

    @Override
    public String taskUser() {
      return PREFIX + name;
    }

    /** The default tenant. */
    @Override
    public String tenant() {
      return "";
    }
  }

  /** As the audit log has it. */
  String label();

  /**
   * The name by which user tasks are assigned to them and claimed by them, the same of no two of
   * users, applications and certificates; empty: none.
   */
  String taskUser();

  List<String> roles();

  Permissions permissions();

  /** Their tenant, as their credential says; empty: the default tenant. */
  String tenant();

  /**
   * Whether they meet the policy of a workflow's endpoint: one of their roles or permissions has
   * its name, or everything is allowed.
   */
  default boolean meets(String policy) {
    return roles().contains(policy)
        || permissions().names().contains(policy)
        || permissions().names().contains(Permissions.EVERYTHING);
  }
}
