package skein.http;

import java.util.List;
import skein.storage.TenantStore;

/** What keeps a route to objects of the caller's tenant. */
sealed interface TenantRule {
  TenantRule OPEN = new Open();
  TenantRule OF_CLUSTER = new OfCluster();
  TenantRule SCOPED = new Scoped();

  /** Nothing that it shows or does is a tenant's. */
  record Open() implements TenantRule {}

  /** It is about the cluster, or about all tenants: for callers of the default tenant. */
  record OfCluster() implements TenantRule {}

  /** Its own queries are restricted to the caller's tenant. */
  record Scoped() implements TenantRule {}

  /** The object that the request names must exist and belong to the caller's tenant. */
  record Named(List<Name> names) implements TenantRule {
    public Named {
      names = List.copyOf(names);
    }
  }

  /** Where a request names something. */
  enum Where {
    PATH,
    QUERY,
    BODY
  }

  /**
   * @param parameter of the path, or member; a missing one names nothing
   * @param thing what it names
   */
  record Name(Where where, String parameter, Thing thing) {}

  /** The request names one object, by a parameter of its path. */
  static TenantRule path(String parameter, Thing thing) {
    return named(new Name(Where.PATH, parameter, thing));
  }

  static TenantRule named(Name... names) {
    return new Named(List.of(names));
  }

  /** The objects that a member of the body names, which is an id or a list of ids. */
  static Name body(String member, Thing thing) {
    return new Name(Where.BODY, member, thing);
  }

  /** The objects that a parameter of the query names, each time that it is given. */
  static Name query(String parameter, Thing thing) {
    return new Name(Where.QUERY, parameter, thing);
  }

  /** The named object, and which of its ids is used. */
  enum Thing {
    DEFINITION(TenantStore.Kind.DEFINITION),
    DEFINITION_VERSION(TenantStore.Kind.DEFINITION_VERSION),
    INSTANCE(TenantStore.Kind.INSTANCE),
    /** By the id of its bookmark, which names the instance. */
    BOOKMARK(TenantStore.Kind.INSTANCE),
    /** By its id in the API, which names the instance. */
    EXECUTION(TenantStore.Kind.INSTANCE),
    SCHEDULE(TenantStore.Kind.SCHEDULE),
    ALTERATION_PLAN(TenantStore.Kind.ALTERATION_PLAN),
    USER(TenantStore.Kind.USER),
    APPLICATION(TenantStore.Kind.APPLICATION);

    final TenantStore.Kind kind;

    Thing(TenantStore.Kind kind) {
      this.kind = kind;
    }
  }
}
