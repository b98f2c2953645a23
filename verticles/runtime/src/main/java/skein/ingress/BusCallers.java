package skein.ingress;

import skein.identity.Identity;

/**
 * Whether those who ask on the event bus say who they are. All of them have joined the cluster, and
 * so know its secret where it has one.
 */
public sealed interface BusCallers {
  /** Callers are not authenticated. */
  record Unknown() implements BusCallers {}

  /**
   * A message may bring a credential, and then may do what that allows.
   *
   * @param required whether a message without one is refused
   */
  record Known(Identity identity, boolean required) implements BusCallers {}

  BusCallers UNKNOWN = new Unknown();
}
