package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * A user of a page who has no mouse: each element is reached by Tab or a shortcut, and it is
 * checked that one sees which of them has the focus.
 */
public final class Keyboard {
  private static final int TABS_MAX = 120;

  /**
   * What the focused element is called, and why it cannot be seen that it has the focus; empty
   * where it can. An element of the diagram shows it by the line around it.
   */
  private static final String FOCUSED =
      """
      () => {
        const one = document.activeElement;
        const labels = one.labels ? [...one.labels].map(label => label.querySelector('span')?.textContent ?? label.textContent) : [];
        const name = one.getAttribute('aria-label') || labels[0] || one.textContent || '';
        const style = getComputedStyle(one);
        const rect = one.getBoundingClientRect();
        const line = one.matches('svg [role=button]') ? getComputedStyle(one.querySelector('rect')) : null;
        const seen = line ? parseFloat(line.strokeWidth) >= 2 : style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
        const inside = rect.bottom > 0 && rect.right > 0 && rect.top < innerHeight && rect.left < innerWidth && rect.width > 0;
        const bar = document.querySelector('.top')?.getBoundingClientRect();
        const covered = bar && !one.closest('.top, .skip, dialog') && rect.bottom <= bar.bottom && rect.bottom > 0;
        const wrong = one === document.body || one.matches('main') ? ''
          : !seen ? 'no outline' : !inside ? 'outside of the window' : covered ? 'below the bar' : '';
        return [name.trim().replace(/\\s+/g, ' '), wrong ? wrong + ': ' + one.outerHTML.slice(0, 200) : ''];
      }
      """;

  private final Page page;

  public Keyboard(Page page) {
    this.page = page;
  }

  /** {@code keys}: one after the other, by the names that Playwright has for them. */
  public void press(String... keys) {
    for (var key : keys) {
      page.keyboard().press(key);
    }
  }

  public void type(String text) {
    page.keyboard().type(text);
  }

  /** The name of what has the focus, after it was checked that one sees it. */
  public String focused() {
    var found = (List<?>) page.evaluate(FOCUSED);
    assertThat(String.valueOf(found.get(1))).isEmpty();
    return String.valueOf(found.get(0));
  }

  /** By Tab, over everything that lies before it. */
  public void tabTo(String name) {
    tabUntil(name::equals, name);
  }

  /** As {@link #tabTo}, to what is called so at its beginning. */
  public void tabToStart(String start) {
    tabUntil(name -> name.startsWith(start), start);
  }

  private void tabUntil(Predicate<String> isThere, String wanted) {
    var reached = new LinkedHashSet<String>();
    for (int i = 0; i < TABS_MAX; i++) {
      press("Tab");
      var name = focused();
      if (isThere.test(name)) {
        return;
      }
      reached.add(name);
    }
    throw new AssertionError("Tab does not lead to " + wanted + ", only to " + reached);
  }
}
