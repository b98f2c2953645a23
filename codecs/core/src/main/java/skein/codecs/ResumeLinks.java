package skein.codecs;

/**
 * The links by which an external caller resumes an instance.
 *
 * @param baseUrl how clients reach this cluster; a slash at its end does not count
 */
public record ResumeLinks(String baseUrl) {
  /** A token follows. */
  public static final String RESUME_PATH = "/workflows/resume/";

  /** Of Elsa's API; the token is the query parameter {@code t}. */
  public static final String EVENT_PATH = "/elsa/api/events/trigger";

  /** Of Elsa's API; the token is the query parameter {@code t}. */
  public static final String BOOKMARK_PATH = "/elsa/api/bookmarks/resume";

  public ResumeLinks {
    baseUrl = baseUrl.endsWith("/") ? baseUrl.substring(0, baseUrl.length() - 1) : baseUrl;
  }

  /** Whether a path of the API is for any bearer of a link, and not for users of the API alone. */
  public static boolean isLink(String path) {
    var plain = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    return plain.equals(EVENT_PATH) || plain.equals(BOOKMARK_PATH);
  }

  /** Resumes the bookmark of the token. */
  public String resume(String token) {
    return baseUrl + RESUME_PATH + token;
  }

  /** Publishes the event of the token. */
  public String event(String token) {
    return baseUrl + EVENT_PATH + "?t=" + token;
  }
}
