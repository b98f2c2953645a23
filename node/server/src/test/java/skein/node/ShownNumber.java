package skein.node;

import com.microsoft.playwright.Page;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * How long after something was done to a cluster a number on a page of its console says so. Each
 * time that it is done, the number grows by one. The browser has the clock of this process.
 */
final class ShownNumber {
  /** Keeps when which number was first seen; changes that are seen together count as the last. */
  private static final String WATCH =
      """
      selector => {
        const shown = [];
        const look = () => {
          const number = Number((document.querySelector(selector)?.textContent ?? '').replace(/\\D/g, ''));
          if (shown.at(-1)?.[1] !== number) {
            shown.push([Date.now(), number]);
          }
        };
        new MutationObserver(look).observe(document.body, {childList: true, subtree: true, characterData: true});
        look();
        window.shownNumbers = shown;
        return shown[0][1];
      }
      """;

  private record Shown(long atMillis, long number) {}

  private final Page page;
  private final long first;
  private final List<Long> doneAtMillis = new ArrayList<>();

  /**
   * @param selector of the element with the number
   */
  ShownNumber(Page page, String selector) {
    this.page = page;
    this.first = ((Number) page.evaluate(WATCH, selector)).longValue();
  }

  /** Before it is done: a lag that is measured is at most too long. */
  void begins() {
    doneAtMillis.add(System.currentTimeMillis());
  }

  /** Waits until all is shown that was done. */
  boolean awaitAll(Duration max) {
    long last = first + doneAtMillis.size();
    return Eventually.isTrue(max, () -> shown().getLast().number() >= last);
  }

  /** Milliseconds, one for each time; after {@link #awaitAll}. */
  LongStream lagMillis() {
    var shown = shown();
    return LongStream.range(0, doneAtMillis.size())
        .map(index -> firstAt(shown, first + index + 1) - doneAtMillis.get((int) index));
  }

  private static long firstAt(List<Shown> shown, long number) {
    return shown.stream()
        .filter(one -> one.number() >= number)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(number + " was never shown: " + shown))
        .atMillis();
  }

  private List<Shown> shown() {
    return ((List<?>) page.evaluate("() => window.shownNumbers"))
        .stream()
            .map(one -> {
              var pair = (List<?>) one;
              return new Shown(
                  ((Number) pair.get(0)).longValue(), ((Number) pair.get(1)).longValue());
            })
            .toList();
  }
}
