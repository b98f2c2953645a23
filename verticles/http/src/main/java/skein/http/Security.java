package skein.http;

import skein.identity.Identity;

/** Whether callers are asked who they are. */
public sealed interface Security {
  /** Nobody is asked, and everybody may do everything. */
  record Open() implements Security {}

  /**
   * The API asks.
   *
   * @param managementOpen whether health and metrics are told everybody
   */
  record Authenticated(Identity identity, boolean managementOpen) implements Security {}

  Security OPEN = new Open();
}
