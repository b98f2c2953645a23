package skein.storage;

import org.jspecify.annotations.Nullable;
import skein.model.Timer;

/**
 * A timer, and the owner of its instance.
 *
 * @param timer its payload may be a {@link DeferredPayload}
 * @param owner null: not asked for, or there is no such instance
 */
public record DueTimer(Timer timer, @Nullable TimerOwner owner) {}
