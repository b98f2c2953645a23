package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;
import skein.storage.TestDatabase;

/**
 * What a lane has in memory is not what the database has: here the row becomes what it was before,
 * where another node would have gone on with it. Nothing is refused for the copy alone.
 */
class StaleCopyIT {
  private static final String TASKS =
      """
      {"definitionId":"tasks","root":{"type":"Elsa.Sequence","id":"s","activities":[
        {"type":"Skein.UserTask","id":"first","title":"First",
         "form":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}},
        {"type":"Skein.UserTask","id":"second","title":"Second",
         "form":{"type":"object","required":["b"],"properties":{"b":{"type":"string"}}}}]}}
      """;

  private final OneNode node = new OneNode();

  @BeforeEach
  void publish() {
    node.publish(TASKS);
  }

  @AfterEach
  void close() {
    node.close();
  }

  private void resume(InstanceId id, Map<String, @Nullable Object> result) {
    node.ingress.resume(new Request.Resume(id, null, Map.of("result", result))).await();
  }

  private void sql(String text) {
    TestDatabase.texts(node.database, text);
  }

  private void keep() {
    sql("create table kept_instances as select * from workflow_instances");
    sql("create table kept_bookmarks as select * from bookmarks");
  }

  private void bringBack() {
    sql(
        "update workflow_instances i set revision = k.revision, state = k.state,"
            + " state_id = k.state_id, updated_at = k.updated_at"
            + " from kept_instances k where i.id = k.id");
    sql("delete from bookmarks");
    sql("insert into bookmarks select * from kept_bookmarks");
    sql("delete from journal where revision > (select max(revision) from kept_instances)");
  }

  @Test
  void data_that_a_form_of_the_copy_refuses_is_put_to_the_form_of_the_stored_state() {
    var id = node.start("tasks");
    keep();
    resume(id, Map.of("a", "x"));
    bringBack();

    resume(id, Map.of("a", "y"));

    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Suspended);
    resume(id, Map.of("b", "z"));
    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void data_that_the_form_of_the_stored_state_refuses_is_refused() {
    var id = node.start("tasks");

    assertThatThrownBy(() -> resume(id, Map.of("b", "x")))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TASK_INVALID));
    assertThat(node.get(id).revision()).isEqualTo(1);
  }
}
