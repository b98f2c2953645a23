package skein.identity;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes guesses slow: after some refusals each next one of the same address, or of the same
 * account, takes longer, up to a bound. No user is locked out: a user who knows the password gets
 * in after the wait, and at once from an address from which they have got in before. Thread-safe.
 */
public final class Throttle {
  private static final int DOUBLINGS_MAX = 20;

  /**
   * @param free refusals without a wait
   * @param first the first wait; each next one is twice as long
   * @param max the longest wait
   * @param forget time without a refusal after which earlier ones no longer count
   * @param keysMax addresses, accounts, and pairs that are remembered, of each so many; the oldest
   *     are forgotten for others
   * @param atOnceMax guesses of one address that wait or are looked at
   */
  public record Options(
      int free, Duration first, Duration max, Duration forget, int keysMax, int atOnceMax) {
    public static final Options DEFAULT =
        new Options(
            5, Duration.ofMillis(200), Duration.ofSeconds(5), Duration.ofMinutes(15), 10_000, 8);
  }

  private record Failures(int count, long last) {}

  private final Options options;
  private final LongSupplier nanoTime;
  private final Map<String, Failures> addresses;
  private final Map<String, Failures> accounts;
  private final Map<String, Boolean> known;
  private final Map<String, Integer> busy = new HashMap<>();

  public Throttle(Options options, LongSupplier nanoTime) {
    this.options = options;
    this.nanoTime = nanoTime;
    this.addresses = LruMaps.map(options.keysMax());
    this.accounts = LruMaps.map(options.keysMax());
    this.known = LruMaps.map(options.keysMax());
  }

  /** Whether one more of the address may be looked at; then {@link #leave} is to follow. */
  synchronized boolean enter(String address) {
    var network = Networks.of(address);
    int count = busy.getOrDefault(network, 0);
    if (count >= options.atOnceMax()) {
      return false;
    }
    busy.put(network, count + 1);
    return true;
  }

  synchronized void leave(String address) {
    busy.computeIfPresent(Networks.of(address), (_, count) -> count == 1 ? null : count - 1);
  }

  /** How long the next guess is to wait; {@code account}: null when none is named. */
  synchronized Duration delay(String address, @Nullable String account) {
    var network = Networks.of(address);
    var ofAddress = wait(addresses.get(network));
    if (account == null || known.containsKey(pair(network, account))) {
      return ofAddress;
    }
    var ofAccount = wait(accounts.get(name(account)));
    return ofAddress.compareTo(ofAccount) < 0 ? ofAccount : ofAddress;
  }

  synchronized void failed(String address, @Nullable String account) {
    add(addresses, Networks.of(address));
    if (account != null) {
      add(accounts, name(account));
    }
  }

  synchronized void succeeded(String address, String account) {
    known.put(pair(Networks.of(address), account), true);
  }

  /** Addresses and accounts that are remembered for refusals. */
  synchronized int size() {
    return addresses.size() + accounts.size();
  }

  private void add(Map<String, Failures> to, String key) {
    long now = nanoTime.getAsLong();
    var before = to.get(key);
    int count = before == null || isOver(before, now) ? 1 : before.count() + 1;
    to.put(key, new Failures(count, now));
  }

  private Duration wait(@Nullable Failures failures) {
    if (failures == null
        || failures.count() < options.free()
        || isOver(failures, nanoTime.getAsLong())) {
      return Duration.ZERO;
    }
    int doublings = Math.min(failures.count() - options.free(), DOUBLINGS_MAX);
    var wait = options.first().multipliedBy(1L << doublings);
    return wait.compareTo(options.max()) < 0 ? wait : options.max();
  }

  private boolean isOver(Failures failures, long now) {
    return now - failures.last() > options.forget().toNanos();
  }

  private static String name(String account) {
    return account.toLowerCase(Locale.ROOT);
  }

  private static String pair(String network, String account) {
    return network + " " + name(account);
  }
}
