package skein.http;

import io.vertx.core.http.HttpMethod;
import skein.http.AuditRule.NoLine;
import skein.identity.Requirement;

/**
 * The entry of a route in {@link RouteTable}.
 *
 * @param route method and path, as {@code GET /timers/:id}: the path is below {@link Routes#API}
 *     for routes of the API, the whole path for others; the method {@code *} is any
 * @param permission what a caller needs
 * @param tenants what keeps the route to objects of the caller's tenant
 * @param audit how its changes are audited
 */
record RouteRule(String route, Requirement permission, TenantRule tenants, AuditRule audit) {
  /** Of a GET that changes nothing. */
  static RouteRule get(String path, Requirement permission, TenantRule tenants) {
    return new RouteRule(name("GET", path), permission, tenants, NoLine.READS);
  }

  /** Of a GET that does something, as Elsa has some. */
  static RouteRule getThatActs(
      String path, Requirement permission, TenantRule tenants, AuditRule audit) {
    return new RouteRule(name("GET", path), permission, tenants, audit);
  }

  static RouteRule post(String path, Requirement permission, TenantRule tenants, AuditRule audit) {
    return new RouteRule(name("POST", path), permission, tenants, audit);
  }

  /**
   * @param action of the line in the audit log
   */
  static RouteRule post(String path, Requirement permission, TenantRule tenants, String action) {
    return post(path, permission, tenants, AuditRule.line(action));
  }

  /**
   * @param action of the line in the audit log
   */
  static RouteRule put(String path, Requirement permission, TenantRule tenants, String action) {
    return new RouteRule(name("PUT", path), permission, tenants, AuditRule.line(action));
  }

  static RouteRule delete(
      String path, Requirement permission, TenantRule tenants, AuditRule audit) {
    return new RouteRule(name("DELETE", path), permission, tenants, audit);
  }

  /**
   * @param action of the line in the audit log
   */
  static RouteRule delete(String path, Requirement permission, TenantRule tenants, String action) {
    return delete(path, permission, tenants, AuditRule.line(action));
  }

  /** Of a route that takes every method, each of which may change something. */
  static RouteRule any(String path, Requirement permission, TenantRule tenants, AuditRule audit) {
    return new RouteRule(name("*", path), permission, tenants, audit);
  }

  /** Whether it changes nothing, though its method might. */
  boolean reads() {
    return audit.equals(NoLine.READS);
  }

  /**
   * A route as entries name it.
   *
   * @param method {@code *} is any; HEAD is as GET
   * @param path the whole path, or that below {@link Routes#API}
   */
  static String name(String method, String path) {
    var asked = method.equals(HttpMethod.HEAD.name()) ? HttpMethod.GET.name() : method;
    return asked + " " + (path.startsWith(Routes.API) ? path.substring(Routes.API.length()) : path);
  }
}
