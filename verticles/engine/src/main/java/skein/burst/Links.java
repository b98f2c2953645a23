package skein.burst;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.activities.Stimuli;
import skein.codecs.JsonText;
import skein.codecs.ResumeToken;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.expressions.Scope;
import skein.graph.Graph;
import skein.model.AuditEntry;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.SkeinException;
import skein.model.StimulusHash;
import skein.model.TokenGrant;

/**
 * Links by which an external caller resumes the instance, once. Each is a token, of which a
 * bookmark gets the hash: so the link works when the burst that made it was committed, and no link
 * of a burst that was not.
 *
 * <p>A link that publishes an event has a bookmark of its own, of the root. No activity waits at
 * it.
 */
final class Links {
  static final String EVENT_LINK = "Skein.EventLink";

  private static final String EVENT_NAME = "eventName";

  /** The actor that makes a token, in the audit log. */
  private static final String ACTOR = "workflow";

  private final Graph graph;
  private final Executions executions;
  private final Bookmarks bookmarks;
  private final BookmarkOptions options;
  private final int bookmarksMax;
  private final BurstInputs in;
  private final Map<BookmarkId, Scope.Link> ofBookmarks = new HashMap<>();
  private final Map<BookmarkId, AuditEntry> audit = new LinkedHashMap<>();
  private byte @Nullable [] secret;
  private int secretsDerived;
  private int eventLinksNotKept;

  Links(
      Graph graph,
      Executions executions,
      Bookmarks bookmarks,
      BookmarkOptions options,
      int bookmarksMax,
      BurstInputs in) {
    this.graph = graph;
    this.executions = executions;
    this.bookmarks = bookmarks;
    this.options = options;
    this.bookmarksMax = bookmarksMax;
    this.in = in;
  }

  /** Publishes the event to this instance. */
  Scope.Link toEvent(String eventName, @Nullable Object until) {
    var root = existingRoot();
    if (eventName.isBlank()) {
      throw new IllegalArgumentException("a link needs the name of an event");
    }
    var expired = bookmarks.open().stream().filter(this::hasExpired).toList();
    if (bookmarks.open().size() - expired.size() + eventLinksNotKept >= bookmarksMax) {
      throw new IllegalArgumentException(
          "the instance has "
              + bookmarksMax
              + " links and bookmarks already (execution.bookmarks-max)");
    }
    var expiresAt = expiresAt(until);
    var id = bookmarks.reserveId();
    var token = token(id);
    var payload = Map.<String, Object>of(EVENT_NAME, eventName);
    var bookmark =
        new Bookmark(
            id,
            EVENT_LINK,
            StimulusHash.of(EVENT_LINK, JsonText.canonical(payload), id.toString()),
            payload,
            root.node.id(),
            root.node.nodeId(),
            root.number,
            in.now(),
            null,
            new TokenGrant(StimulusHash.sha256(token), expiresAt),
            Bookmark.EVENT_LINK);
    eventLinksNotKept++;
    return new Scope.Link(options.links().event(token), expiresAt, () -> keep(bookmark));
  }

  private void keep(Bookmark bookmark) {
    if (bookmarks.find(bookmark.id()) != null) {
      return;
    }
    eventLinksNotKept--;
    bookmarks.open().stream().filter(this::hasExpired).forEach(bookmarks::burn);
    bookmarks.add(bookmark);
    audited(bookmark.id());
  }

  private boolean hasExpired(Bookmark bookmark) {
    var token = bookmark.token();
    var expiresAt = token == null ? null : token.expiresAt();
    return bookmark.isEventLink() && expiresAt != null && !expiresAt.isAfter(in.now());
  }

  /** A link of this burst with the same end is the same link, so that several people may get it. */
  Scope.Link toBookmark(Bookmark bookmark, @Nullable Object until) {
    var id = bookmark.id();
    var expiresAt = earliest(expiresAt(until), bookmark.expiresAt(bookmarks.open()));
    var known = ofBookmarks.get(id);
    if (known != null && known.expiresAt().equals(expiresAt)) {
      return known;
    }
    var token = token(id);
    var grant = new TokenGrant(StimulusHash.sha256(token), expiresAt);
    var link =
        new Scope.Link(
            options.links().resume(token),
            expiresAt,
            () -> {
              bookmarks.grant(id, grant);
              audited(id);
            });
    ofBookmarks.put(id, link);
    return link;
  }

  /**
   * The open bookmark with that id, or the only one of the activity with that id or name.
   *
   * @param from the execution that asks
   */
  Bookmark find(String idOrActivity, Execution from) {
    existingRoot();
    var activity = graph.visible(from.node.nodeId(), idOrActivity);
    var found =
        bookmarks.open().stream()
            .filter(bookmark -> !bookmark.ofEngine())
            .filter(bookmark ->
                isMeant(bookmark, idOrActivity, activity == null ? null : activity.nodeId()))
            .toList();
    if (found.size() == 1) {
      return found.getFirst();
    }
    throw new IllegalArgumentException(
        found.isEmpty()
            ? "nothing waits at "
                + idOrActivity
                + ": a link needs a bookmark that is open, or an activity that waits already, such"
                + " as in an earlier branch of a fork"
            : idOrActivity
                + " waits at several bookmarks: name one of "
                + found.stream().map(bookmark -> bookmark.id().toString()).toList());
  }

  private static boolean isMeant(Bookmark bookmark, String idOrActivity, @Nullable String nodeId) {
    return bookmark.id().toString().equals(idOrActivity) || bookmark.nodeId().equals(nodeId);
  }

  /** The hash of the event that it publishes. */
  static @Nullable String eventOf(Bookmark eventLink) {
    var payload = Json.object(eventLink.payload());
    var eventName = payload == null ? null : Json.text(payload, EVENT_NAME);
    return eventName == null ? null : Stimuli.event(eventName);
  }

  private Execution existingRoot() {
    var root = executions.root();
    if (root == null) {
      throw new IllegalArgumentException(
          "a link needs an instance: triggers are evaluated when the definition is published");
    }
    return root;
  }

  private String token(BookmarkId id) {
    if (secret == null) {
      secret = in.secret().get();
    }
    try {
      return ResumeToken.make(id, ResumeToken.derivedSecret(secret, ++secretsDerived));
    } catch (SkeinException e) {
      throw new IllegalArgumentException(e.detail(), e);
    }
  }

  private Instant expiresAt(@Nullable Object until) {
    var now = in.now();
    if (until == null || until.equals("")) {
      return now.plus(options.linkLifetime());
    }
    Instant expiresAt;
    try {
      expiresAt = now.plus(Expressions.duration(until));
    } catch (ExpressionException _) {
      expiresAt = instant(until);
    }
    if (!expiresAt.isAfter(now) || expiresAt.isAfter(now.plus(ResumeToken.LIFETIME_MAX))) {
      throw new IllegalArgumentException(
          "a link works for more than no time and at most "
              + ResumeToken.LIFETIME_MAX.toDays()
              + " days, not until "
              + expiresAt);
    }
    return expiresAt;
  }

  private static Instant earliest(Instant one, @Nullable Instant other) {
    return other != null && other.isBefore(one) ? other : one;
  }

  private static Instant instant(Object until) {
    try {
      return Expressions.instant(until);
    } catch (ExpressionException e) {
      throw new IllegalArgumentException(
          "neither a lifetime, such as 01:00:00 or PT1H, nor an instant: " + until, e);
    }
  }

  private void audited(BookmarkId id) {
    audit.put(
        id, new AuditEntry("token.mint", "ok", id.instanceId().value(), id.toString(), ACTOR));
  }

  List<AuditEntry> audit() {
    return List.copyOf(audit.values());
  }
}
