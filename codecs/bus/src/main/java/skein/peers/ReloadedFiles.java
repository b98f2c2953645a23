package skein.peers;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * An object made of files, and made again when they have changed. A use checks the files when the
 * last check is ten seconds old. Where the new files are unusable the old object stays in use.
 * Thread-safe.
 *
 * @param <T> what stands in the files
 * @param <V> what is made of it
 */
final class ReloadedFiles<T, V> {
  private static final long LOOK_NANOS = Duration.ofSeconds(10).toNanos();

  private final Supplier<T> read;
  private final Function<T, V> make;
  private final Consumer<UnusableTlsException> listener;
  private final AtomicLong looked = new AtomicLong(System.nanoTime());
  private volatile Made<T, V> made;
  private volatile String told = "";

  private record Made<T, V>(T content, V value) {}

  /**
   * Reads and makes.
   *
   * @param read equal when nothing has changed
   * @param listener of what cannot be used later, once for each reason; called on any thread; must
   *     not block
   * @throws UnusableTlsException the files cannot be used
   */
  ReloadedFiles(Supplier<T> read, Function<T, V> make, Consumer<UnusableTlsException> listener) {
    this.read = read;
    this.make = make;
    this.listener = listener;
    var content = read.get();
    this.made = new Made<>(content, make.apply(content));
  }

  /** As it was made last. */
  V value() {
    return made.value;
  }

  /**
   * The same, and a look at the files if it is time: aside, but at once for what is of no use any
   * more.
   */
  V use(Predicate<V> isOver) {
    long last = looked.get();
    long now = System.nanoTime();
    if (now - last >= LOOK_NANOS && looked.compareAndSet(last, now)) {
      if (isOver.test(made.value)) {
        renew();
      } else {
        var unused = CompletableFuture.runAsync(this::renew);
      }
    }
    return made.value;
  }

  /** Takes what has changed, if it can be used. */
  void renew() {
    try {
      var content = read.get();
      if (!content.equals(made.content)) {
        made = new Made<>(content, make.apply(content));
        told = "";
      }
    } catch (UnusableTlsException e) {
      if (!told.equals(e.getMessage())) {
        told = String.valueOf(e.getMessage());
        listener.accept(e);
      }
    }
  }
}
