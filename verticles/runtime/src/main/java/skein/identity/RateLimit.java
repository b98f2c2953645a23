package skein.identity;

import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The rate limit of each caller: a bucket of {@code burst} requests, into which {@code perSecond}
 * come back. Of more callers than are remembered the least recent ones are forgotten, and begin
 * again with a full one. Thread-safe.
 */
public final class RateLimit {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Options options;
  private final LongSupplier nanoTime;
  private final Map<String, Bucket> buckets;

  /**
   * @param perSecond of one caller; 0: any number
   * @param burst at once, of one who has not asked for a while
   * @param callersMax who are remembered
   */
  public record Options(int perSecond, int burst, int callersMax) {
    public static final Options NONE = new Options(0, 1, 1);

    public Options {
      if (perSecond < 0 || burst < 1 || callersMax < 1) {
        throw new IllegalArgumentException(
            "perSecond %d, burst %d, callersMax %d".formatted(perSecond, burst, callersMax));
      }
    }
  }

  /** {@code left}: in billionths of a request, at the time {@code at}. */
  private static final class Bucket {
    private long left;
    private long at;

    Bucket(long left, long at) {
      this.left = left;
      this.at = at;
    }
  }

  public RateLimit(Options options, LongSupplier nanoTime) {
    this.options = options;
    this.nanoTime = nanoTime;
    this.buckets = LruMaps.map(options.callersMax());
  }

  public boolean isOn() {
    return options.perSecond() > 0;
  }

  /** Requests a second of one caller, on average. */
  public int perSecond() {
    return options.perSecond();
  }

  /** One more of a caller who is known; zero: it may be served, else when to ask again. */
  public Duration takeOf(Caller caller) {
    return take(caller.label());
  }

  /** One more request from this address. */
  public Duration takeAt(String address) {
    return take("address:" + Networks.of(address));
  }

  private synchronized Duration take(String key) {
    long now = nanoTime.getAsLong();
    long full = options.burst() * SECOND;
    var bucket = buckets.computeIfAbsent(key, _ -> new Bucket(full, now));
    long passed = Math.min(now - bucket.at, full / options.perSecond() + 1);
    bucket.left = Math.min(full, bucket.left + passed * options.perSecond());
    bucket.at = now;
    if (bucket.left >= SECOND) {
      bucket.left -= SECOND;
      return Duration.ZERO;
    }
    return Duration.ofNanos((SECOND - bucket.left + options.perSecond() - 1) / options.perSecond());
  }

  /** Callers who are remembered. */
  synchronized int size() {
    return buckets.size();
  }
}
