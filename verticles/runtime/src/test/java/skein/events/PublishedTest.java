package skein.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import skein.decisions.EventTimers;
import skein.decisions.Replies;
import skein.events.Published.Outcome;
import skein.messages.Reply;
import skein.model.BookmarkId;
import skein.model.DefinitionRef;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

class PublishedTest {
  private static final InstanceId ID = new InstanceId("i");

  @Test
  void an_answer_to_a_delivery_says_what_came_of_it() {
    var done =
        new Reply.Done(
            ID, new DefinitionRef("d", "d-1", 1), WorkflowStatus.Suspended, 1, null, null);

    assertThat(Outcome.of(done)).isEqualTo(Outcome.COMMITTED);
    assertThat(Outcome.of(Replies.postponed(ID))).isEqualTo(Outcome.PENDING);
    assertThat(Outcome.of(new Reply.Delivered(0, 0, List.of()))).isEqualTo(Outcome.GONE);
  }

  @Test
  void what_is_pending_is_named_and_not_counted_as_delivered() {
    var delivery = EventTimers.resume("event", new BookmarkId(ID, 1), null);

    var published = Published.of(List.of(delivery), List.of(Outcome.PENDING));

    assertThat(published.pending()).isEqualTo(1);
    assertThat(published.reply()).isEqualTo(new Reply.Delivered(0, 0, List.of(ID)));
  }
}
