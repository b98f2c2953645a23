package skein.node.config;

import java.util.regex.Pattern;

/**
 * The value that a node uses for one key of the configuration.
 *
 * @param value as it would be written; of secrets {@link #HIDDEN}, or nothing where none is set
 * @param origin where it is written: {@link #DEFAULT}, {@code command line}, {@code environment
 *     NAME}, or file and line
 */
public record EffectiveSetting(String key, String value, String origin) {
  public static final String DEFAULT = "default";
  public static final String HIDDEN = "***";

  /** In URLs before the host, and as an option of a URL or of a connection string. */
  private static final Pattern PASSWORD =
      Pattern.compile("(?i)(?<=://)[^/@\\s]*(?=@)|(?<=\\b(?:ssl)?(?:password|pwd)=)[^;&]*");

  static EffectiveSetting of(String key, Setting setting, boolean isSecret) {
    var text = setting.text().strip();
    var shown = isSecret && !text.isEmpty() ? HIDDEN : PASSWORD.matcher(text).replaceAll(HIDDEN);
    return new EffectiveSetting(key, shown, setting.origin());
  }
}
