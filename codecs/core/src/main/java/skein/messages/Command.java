package skein.messages;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.model.Alteration;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.StartRequest;
import skein.model.Timer;

/** Work on one instance, sent to the node that owns it and executed there one after another. */
public sealed interface Command {
  InstanceId instanceId();

  /**
   * Makes an instance.
   *
   * @param definitionId of the definition to start
   * @param versionId null starts the published version, checked again by the commit
   * @param dispatch true commits it as pending and runs it afterwards
   * @param wantState true puts the instance into the reply
   * @param variables values that variables of the workflow begin with, by name; not for a start
   *     that is dispatched. Travel beside the bytes of the command, which nodes of older versions
   *     read too: those start without them.
   */
  record Start(
      InstanceId instanceId,
      String definitionId,
      @Nullable String versionId,
      StartRequest request,
      boolean dispatch,
      boolean wantState,
      Map<String, @Nullable Object> variables)
      implements Command {
    /** With the variables as the definition declares them. */
    public Start(
        InstanceId instanceId,
        String definitionId,
        @Nullable String versionId,
        StartRequest request,
        boolean dispatch,
        boolean wantState) {
      this(instanceId, definitionId, versionId, request, dispatch, wantState, Map.of());
    }

    /** With these values of variables. */
    public Start with(Map<String, @Nullable Object> given) {
      return new Start(instanceId, definitionId, versionId, request, dispatch, wantState, given);
    }
  }

  /**
   * Makes an instance that begins with the state that another one had after a burst.
   *
   * @param versionId of the definition, that the other one executed then
   * @param request its input is that of the other instance, unless the caller wants another
   * @param sourceId of the other instance, which is left as it is
   * @param sequence of the last entry of the burst in the other's journal
   * @param variables by name, in place of the other's
   */
  record Fork(
      InstanceId instanceId,
      String versionId,
      StartRequest request,
      InstanceId sourceId,
      long sequence,
      Map<String, @Nullable Object> variables,
      @Nullable String actor)
      implements Command {}

  /**
   * Burns a bookmark and runs the instance.
   *
   * @param bookmarkId null means the only open one
   */
  record Resume(
      InstanceId instanceId,
      @Nullable BookmarkId bookmarkId,
      Map<String, @Nullable Object> input,
      Via via,
      boolean wantState)
      implements Command {}

  /** A timer is due. */
  record Fire(Timer timer) implements Command {
    @Override
    public InstanceId instanceId() {
      return timer.instanceId();
    }
  }

  record Cancel(InstanceId instanceId) implements Command {}

  /**
   * Makes a token for a bookmark; the one it had before is void.
   *
   * @param lifetime null never expires
   * @param secret 128 random bits that the token is made of, so that the command makes the same one
   *     in every attempt; null leaves them to the owner of the instance. Travels beside the bytes
   *     of the command, which nodes of older versions read too.
   */
  record MintToken(
      BookmarkId bookmarkId,
      @Nullable Duration lifetime,
      @Nullable String actor,
      @Nullable UUID secret)
      implements Command {
    /** Without the secret. */
    @Override
    public String toString() {
      return "MintToken[bookmarkId=" + bookmarkId + ", lifetime=" + lifetime + "]";
    }

    @Override
    public InstanceId instanceId() {
      return bookmarkId.instanceId();
    }
  }

  record RevokeToken(BookmarkId bookmarkId, @Nullable String actor) implements Command {
    @Override
    public InstanceId instanceId() {
      return bookmarkId.instanceId();
    }
  }

  /**
   * Lets a bookmark that the clock resumes fall due at another instant, earlier or later.
   *
   * @param dueAt may have passed: then it falls due at once
   */
  record ChangeDue(BookmarkId bookmarkId, Instant dueAt, @Nullable String actor)
      implements Command {
    @Override
    public InstanceId instanceId() {
      return bookmarkId.instanceId();
    }
  }

  /** Changes an instance from outside; all of the alterations or none. */
  record Alter(InstanceId instanceId, List<Alteration> alterations, @Nullable String actor)
      implements Command {
    public Alter {
      alterations = List.copyOf(alterations);
    }
  }

  /**
   * Acts on a user task. Its id is that of the bookmark.
   *
   * @param user who acts, as the caller claims; null: no user is named
   * @param groups that the user is in, as the caller claims
   * @param actor remote address or service
   */
  record Task(
      BookmarkId bookmarkId,
      TaskAction action,
      @Nullable String user,
      List<String> groups,
      @Nullable String actor)
      implements Command {
    public Task {
      groups = List.copyOf(groups);
    }

    @Override
    public InstanceId instanceId() {
      return bookmarkId.instanceId();
    }
  }

  /** Removes an instance and all that belongs to it. */
  record Delete(InstanceId instanceId) implements Command {}

  /** An action on a user task. */
  sealed interface TaskAction {
    /** No other user may complete it from now on. */
    record Claim() implements TaskAction {}

    record Unclaim() implements TaskAction {}

    /** Gives it to others; an existing claim ends. */
    record Assign(List<String> assignees, List<String> groups) implements TaskAction {
      public Assign {
        assignees = List.copyOf(assignees);
        groups = List.copyOf(groups);
      }
    }

    /**
     * @param input {@code result}, without which the task's own data are the result, and {@code
     *     outcome}, without which it is Done
     */
    record Complete(Map<String, @Nullable Object> input) implements TaskAction {}
  }

  /** How a resume reached the cluster; decides the message of a refusal and the checks. */
  sealed interface Via {
    record Api() implements Via {}

    record Event() implements Via {}

    record Task() implements Via {}

    record Http() implements Via {}

    /** The result of work that the instance has asked for. */
    record Work() implements Via {}

    /**
     * @param hash of the token, as stored
     * @param actor remote address or service
     */
    record Token(String hash, @Nullable String actor) implements Via {}
  }
}
