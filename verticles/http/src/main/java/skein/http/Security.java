package skein.http;

import skein.identity.Identity;

/** Whether callers are asked who they are. */
public sealed interface Security {
  /** Callers are not authenticated, and may do everything. */
  record Open() implements Security {}

  /**
   * The API asks.
   *
   * @param managementOpen whether health and metrics answer unauthenticated clients
   */
  record Authenticated(Identity identity, boolean managementOpen) implements Security {}

  Security OPEN = new Open();
}
