package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.messages.Addresses;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

class JsonMessagesTest {
  @Test
  void every_request_survives_its_json() {
    for (var request : requests()) {
      var text = JsonText.print(JsonMessages.toJson(request));

      var read =
          JsonMessages.fromJson(
              JsonMessages.address(request), JsonText.parseObject(text, JsonLimits.DEFAULT));

      assertThat(read).isEqualTo(request);
    }
  }

  @Test
  void what_may_be_missing_may_be_missing() {
    assertThat(read(Addresses.START, "{\"definitionId\":\"A\"}"))
        .isEqualTo(new Request.Start("A", Map.of(), null, null, null, null, false));
    assertThat(read(Addresses.EVENT, "{\"v\":1,\"eventName\":\"E\"}"))
        .isEqualTo(new Request.PublishEvent("E", null, null, null));
    assertThat(read(Addresses.TASK, "{\"taskId\":\"T\"}"))
        .isEqualTo(new Request.CompleteTask("T", null));
    assertThat(read(Addresses.JOURNAL, "{\"instanceId\":\"i\"}"))
        .isEqualTo(new Request.Journal(new InstanceId("i"), 0, 100));
  }

  @Test
  void everything_wrong_is_named_at_once() {
    var refusal =
        refusal(
            Addresses.START,
            "{\"v\":2,\"input\":[],\"name\":7,\"dispatch\":\"yes\",\"definitionID\":\"A\"}");

    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(refusal.errors())
        .containsExactly(
            "v is not 1, the version this node knows",
            "definitionId is missing",
            "input is not an object",
            "name is not a string",
            "dispatch is not true or false",
            "\"definitionID\" is not a member of this request");
  }

  @Test
  void members_that_differ_only_in_case_are_refused() {
    for (var request : requests()) {
      var json = JsonMessages.toJson(request);
      for (var member : json.keySet()) {
        var twice = new LinkedHashMap<String, @Nullable Object>(json);
        var upper = member.toUpperCase(Locale.ROOT);
        twice.put(upper, json.get(member));

        var refusal = refusal(JsonMessages.address(request), JsonText.print(twice));

        assertThat(refusal).as(upper).isNotNull();
        assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(refusal.errors())
            .containsExactly("\"" + upper + "\" is not a member of this request");
      }
    }
  }

  @Test
  void a_page_of_a_journal_is_bounded() {
    for (var json :
        List.of(
            "{\"instanceId\":\"i\",\"take\":1001}",
            "{\"instanceId\":\"i\",\"take\":4294967297}",
            "{\"instanceId\":\"i\",\"take\":0}",
            "{\"instanceId\":\"i\",\"after\":-1}")) {
      var request = read(Addresses.JOURNAL, json);

      assertThatThrownBy(() -> RequestRules.checked(request, JsonLimits.DEFAULT))
          .as(json)
          .isInstanceOfSatisfying(
              SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
    }
    assertThat(refusal(Addresses.JOURNAL, "{\"instanceId\":\"i\",\"take\":\"9\"}").errors())
        .containsExactly("take is not a whole number");
  }

  @Test
  void an_id_that_is_none_is_refused() {
    assertThat(refusal(Addresses.CANCEL, "{\"instanceId\":\"a b\"}").code())
        .isEqualTo(ErrorCode.INVALID_ID);
    assertThat(refusal(Addresses.RESUME, "{\"instanceId\":\"a\",\"bookmarkId\":\"a\"}").code())
        .isEqualTo(ErrorCode.INVALID_ID);
  }

  @Test
  void a_token_makes_it_another_request_with_its_own_members() {
    assertThat(refusal(Addresses.RESUME, "{\"token\":\"t\",\"instanceId\":\"a\"}").errors())
        .containsExactly("\"instanceId\" is not a member of this request");
  }

  @Test
  void replies_are_told_apart_by_their_kind() {
    var texts =
        Samples.replies().stream()
            .map(reply -> JsonText.print(JsonMessages.toJson(reply)))
            .toList();

    assertThat(texts.get(0))
        .isEqualTo(
            "{\"v\":1,\"kind\":\"done\",\"instanceId\":\"01k2v9c3d4e5f6g7h8j9kamnpq\","
                + "\"definition\":{\"definitionId\":\"OrderApproval\","
                + "\"versionId\":\"01k2v9b0000000000000000000\",\"version\":3},"
                + "\"status\":\"Suspended\",\"revision\":4}");
    assertThat(texts.get(1))
        .contains("\"httpAnswer\":{\"status\":201,\"headers\":{\"Location\":\"/orders/1\"}")
        .contains(
            "\"bookmarks\":[{\"id\":\"01k2v9c3d4e5f6g7h8j9kamnpq-2\",\"name\":\"Elsa.Event\"");
    assertThat(texts.get(2))
        .isEqualTo(
            "{\"v\":1,\"kind\":\"delivered\",\"resumed\":2,\"started\":1,"
                + "\"instances\":[\"01k2v9c3d4e5f6g7h8j9kamnpq\",\"b\"]}");
    assertThat(texts.get(3))
        .isEqualTo(
            "{\"v\":1,\"kind\":\"tokenMinted\",\"token\":\"t0k3n\","
                + "\"expiresAt\":\"2026-03-01T08:30:00.123456Z\"}");
    assertThat(texts.get(4))
        .isEqualTo(
            "{\"v\":1,\"kind\":\"refused\",\"code\":\"SEVERAL_BOOKMARKS\","
                + "\"detail\":\"Name one\",\"errors\":[\"a\",\"b\"]}");
  }

  @Test
  void no_reply_shows_a_hash() {
    for (var reply : Samples.replies()) {
      assertThat(JsonText.print(JsonMessages.toJson(reply))).doesNotContainPattern("[0-9A-F]{64}");
    }
  }

  private static List<Request> requests() {
    return Stream.concat(Samples.requests().stream(), Samples.requests2().stream()).toList();
  }

  private static Request read(String address, String json) {
    return JsonMessages.fromJson(address, JsonText.parseObject(json, JsonLimits.DEFAULT));
  }

  private static SkeinException refusal(String address, String json) {
    return catchThrowableOfType(SkeinException.class, () -> read(address, json));
  }
}
