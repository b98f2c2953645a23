package skein.forms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/** What JSON Schema says of each keyword. */
class FormTest {
  private static final String DRAFT_4 = "'$schema': 'http://json-schema.org/draft-04/schema#'";
  private static final String DRAFT_7 = "'$schema': 'http://json-schema.org/draft-07/schema#'";
  private static final String DRAFT_2019 =
      "'$schema': 'https://json-schema.org/draft/2019-09/schema'";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // keyword | fits | does not
        "'type': 'integer' | 1 | 1.5",
        "'type': 'integer' | 1.0 | 'x'",
        "'type': ['null', 'string'] | null | 1",
        "'type': 'number' | 1e400 | true",
        "'enum': [1, {'a': [1.0]}] | {'a': [1]} | {'a': 1}",
        "'const': {'a': 1, 'b': 2} | {'b': 2, 'a': 1} | {'a': 1}",
        "'const': 0 | -0.0 | false",
        "'minimum': 3 | 3.0 | 2.99",
        "'maximum': 3 | 3 | 3.01",
        "'exclusiveMinimum': 3 | 3.01 | 3",
        "'exclusiveMaximum': 3 | 2.99 | 3.0",
        "'minimum': 3, 'exclusiveMinimum': true | 3.01 | 3",
        "'multipleOf': 0.01 | 19.99 | 19.999",
        "'multipleOf': 3 | -9 | 10",
        "'minLength': 2 | 'ab' | '😀'",
        "'maxLength': 2 | '😀😀' | 'abc'",
        "'pattern': '^\\\\d{3}$' | '123' | '1234'",
        "'pattern': '^[a-z]' | 'abc' | 'Abc'",
        "'pattern': 'b' | 'abc' | 'acc'",
        "'minItems': 1 | [1] | []",
        "'maxItems': 1 | [1] | [1, 2]",
        "'uniqueItems': true | [1, '1', [1], {'a': 1}] | [{'a': 1, 'b': 2}, {'b': 2.0, 'a': 1}]",
        "'items': {'type': 'integer'} | [1, 2] | [1, 'x']",
        "'prefixItems': [{'type': 'integer'}], 'items': false | [1] | [1, 2]",
        "'items': [{'type': 'integer'}], 'additionalItems': false | [1] | [1, 2]",
        "'contains': {'const': 1} | [2, 1] | [2]",
        "'contains': {'const': 1}, 'maxContains': 1 | [1] | [1, 1]",
        "'contains': {'const': 1}, 'minContains': 2 | [1, 1] | [1]",
        "'minProperties': 1 | {'a': 1} | {}",
        "'maxProperties': 1 | {'a': 1} | {'a': 1, 'b': 1}",
        "'required': ['a'] | {'a': null} | {'b': 1}",
        "'properties': {'a': {'type': 'integer'}} | {'a': 1, 'b': 'x'} | {'a': 'x'}",
        "'patternProperties': {'^a': {'type': 'integer'}} | {'ab': 1, 'b': 'x'} | {'ab': 'x'}",
        "'properties': {'a': true}, 'additionalProperties': false | {'a': 1} | {'b': 1}",
        "'patternProperties': {'^a': true}, 'additionalProperties': false | {'ab': 1} | {'b': 1}",
        "'propertyNames': {'maxLength': 1} | {'a': 1} | {'ab': 1}",
        "'dependentRequired': {'a': ['b']} | {'a': 1, 'b': 1} | {'a': 1}",
        "'dependentSchemas': {'a': {'required': ['b']}} | {'b': 1} | {'a': 1}",
        "'dependencies': {'a': ['b'], 'c': {'required': ['d']}} | {'a': 1, 'b': 1} | {'c': 1}",
        "'allOf': [{'minimum': 1}, {'maximum': 2}] | 2 | 3",
        "'anyOf': [{'minimum': 5}, {'maximum': 2}] | 2 | 3",
        "'oneOf': [{'minimum': 1}, {'maximum': 2}] | 3 | 2",
        "'not': {'type': 'string'} | 1 | 'x'",
        "'if': {'minimum': 5}, 'then': {'multipleOf': 2}, 'else': {'maximum': 3} | 6 | 7",
        "'if': {'minimum': 5}, 'then': {'multipleOf': 2}, 'else': {'maximum': 3} | 2 | 4",
        "'$ref': '#/$defs/a', '$defs': {'a': {'type': 'integer'}} | 1 | 'x'",
        "'$ref': '#/$defs/a', 'maximum': 1, '$defs': {'a': true} | 1 | 2",
        "'$ref': '#a', '$defs': {'x': {'$anchor': 'a', 'minimum': 1}} | 1 | 0",
        "'$ref': 'x.json', '$defs': {'x': {'$id': 'x.json', 'minimum': 1}} | 1 | 0",
        "'$ref': '#/$defs/a~1b%25', '$defs': {'a/b%': {'minimum': 1}} | 1 | 0",
        "'properties': {'next': {'$ref': '#'}, 'v': {'type': 'integer'}} | {'next': {'v': 1}}"
            + " | {'next': {'next': {'v': 'x'}}}",
        "'properties': {'a': true}, 'unevaluatedProperties': false | {'a': 1} | {'b': 1}",
        "'anyOf': [{'properties': {'a': {'const': 1}}, 'required': ['a']},"
            + " {'properties': {'b': true}}], 'unevaluatedProperties': false"
            + " | {'a': 1, 'b': 1} | {'a': 2}",
        "'allOf': [{'prefixItems': [true]}], 'unevaluatedItems': false | [1] | [1, 2]",
        "'contains': {'const': 1}, 'unevaluatedItems': {'const': 2} | [2, 1] | [1, 3]",
        "'additionalProperties': {'$dynamicRef': '#n'}, '$dynamicAnchor': 'n', 'type': 'object'"
            + " | {'a': {}} | {'a': 1}",
        "'contentEncoding': 'base64' | 'aGk=' | 'a?k='",
        "'title': 'x', 'x-own': {'$ref': 'y'}, 'format': 'own' | 'x' | `none`"
      })
  void keywords(String keywords, String fits, String wrong) {
    assertThat(errors("{" + keywords + "}", fits)).as("%s of %s", keywords, fits).isEmpty();
    if (!wrong.contains("none")) {
      assertThat(errors("{" + keywords + "}", wrong)).as("%s of %s", keywords, wrong).isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "date | 2024-02-29 | 2023-02-29",
        "time | 23:59:60Z | 22:59:60Z",
        "date-time | 2024-01-01T10:00:00.5+01:00 | 2024-01-01 T10:00",
        "duration | P1Y2M3DT4H5M6S | P1M1Y",
        "duration | P2W | P",
        "email | a.b+c@example.com | a..b@example.com",
        "email | \"a b\"@[127.0.0.1] | a@",
        "idn-email | 실례@실례.테스트 | 실례",
        "hostname | a-b.example.com | -a.example",
        "idn-hostname | 실례.테스트 | 〮실례",
        "ipv4 | 127.0.0.1 | 256.0.0.1",
        "ipv4 | 1.2.3.4 | 1.2.3",
        "ipv6 | ::ffff:1.2.3.4 | 1::2::3",
        "ipv6 | 1:2:3:4:5:6:7:8 | 12345::",
        "uri | http://u@[::1]:80/a?b#c | //a/b",
        "uri | urn:isbn:1 | http://a b",
        "uri-reference | ../a?b | a%2",
        "uri-template | /a/{id}{?q*,r:3} | /a/{id",
        "iri | http://ƒøø/é | http:// é",
        "url | https://example.com/x | mailto:a@b",
        "uuid | 2eb8aa08-aa98-11ea-b4aa-73b441d16380 | 2eb8aa08aa9811eab4aa73b441d16380",
        "json-pointer | /a~0b/~1 | /a~2",
        "relative-json-pointer | 1/a | /a",
        "regex | ^(ab)[c-e]+$ | ^(abc]",
        "byte | aGk= | a"
      })
  void formats(String format, String fits, String wrong) {
    var form = "{'format': '%s'}".formatted(format);
    assertThat(errors(form, JsonText.print(fits))).as("%s of %s", format, fits).isEmpty();
    assertThat(errors(form, JsonText.print(wrong))).as("%s of %s", format, wrong).isNotEmpty();
    assertThat(errors(form, "1")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "^\\u00e9\\x41$ | éA | eA",
        "^\\ud83d\\ude00$ | 😀 | 😁",
        "^\\u{1F600}$ | 😀 | 😁",
        "^\\p{Letter}+$ | aé | a1",
        "^\\p{Script=Greek}+$ | αβ | ab",
        "^\\p{Lu}\\P{Lu}$ | Aa | AA",
        "^[\\s\\S]$ | x | xx",
        "^[^]$ | x | xx",
        "^a\\/b\\-c$ | a/b-c | a/b.c",
        "^(?<y>[0-9]{4})-(?:[0-9]{2})$ | 2024-01 | 2024-1",
        "^a{,2}$ | a{,2} | aa",
        "^[[&&b]$ | [ | a",
        "^\\cA?x{2,3}?$ | xx | x",
        "^\\w+@\\w+\\.\\w{2,}$ | a@b.cd | a@b",
        "^(?i)abc$ | ABC | ABD"
      })
  void patterns_mean_what_they_mean_in_ecmascript(String pattern, String fits, String wrong) {
    var form = "{\"pattern\": %s}".formatted(JsonText.print(pattern));
    assertThat(errors(form, JsonText.print(fits))).as("%s of %s", pattern, fits).isEmpty();
    assertThat(errors(form, JsonText.print(wrong))).as("%s of %s", pattern, wrong).isNotEmpty();
  }

  @Test
  void spaces_ends_and_dots_are_those_of_ecmascript() {
    assertThat(errors("{'pattern': '^\\\\s$'}", "'\\u00a0'")).isEmpty();
    assertThat(errors("{'pattern': '^\\\\S$'}", "'\\u00a0'")).hasSize(1);
    assertThat(errors("{'pattern': '^a$'}", "'a\\n'")).hasSize(1);
    assertThat(errors("{'pattern': '^.$'}", "'\\u2028'")).hasSize(1);
  }

  @Test
  void older_drafts_have_their_own_words() {
    assertThat(errors("{" + DRAFT_4 + ", 'minimum': 3, 'exclusiveMinimum': true}", "3")).hasSize(1);
    var byId = "'$ref': 'urn:x', 'definitions': {'x': {'id': 'urn:x', 'type': 'integer'}}";
    assertThat(errors("{" + DRAFT_4 + ", " + byId + "}", "'x'")).hasSize(1);
    var alone = "'$ref': '#/definitions/a', 'maximum': 1, 'definitions': {'a': true}";
    assertThat(errors("{" + DRAFT_7 + ", " + alone + "}", "2")).isEmpty();
    var tree =
        "'$recursiveAnchor': true, 'additionalProperties': {'$recursiveRef': '#'},"
            + " 'type': 'object'";
    assertThat(errors("{" + DRAFT_2019 + ", " + tree + "}", "{'a': {'b': 1}}")).hasSize(1);
  }

  @Test
  void every_error_says_its_place() {
    var form =
        "{'required': ['name'], 'properties': {'lines': {'items': {'properties':"
            + " {'a/b': {'type': 'integer', 'minimum': 1}}}}}}";
    assertThat(errors(form, "{'lines': [{'a/b': 1}, {'a/b': 0.5}]}"))
        .containsExactly(
            "result: \"name\" is missing",
            "/lines/1/a~1b: must be of type integer",
            "/lines/1/a~1b: must be at least 1");
    var many = "[" + "'x',".repeat(200) + "'x']";
    assertThat(errors("{'items': {'type': 'integer'}}", many)).hasSize(50);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type': 'strin'} | /type",
        "{'properties': []} | /properties",
        "{'properties': {'a': 1}} | /properties/a",
        "{'items': null} | /items",
        "{'required': 'a'} | /required",
        "{'required': [1]} | /required",
        "{'minLength': -1} | /minLength",
        "{'maxItems': 1.5} | /maxItems",
        "{'minimum': '1'} | /minimum",
        "{'multipleOf': 0} | /multipleOf",
        "{'allOf': []} | /allOf",
        "{'enum': 1} | /enum",
        "{'pattern': 1} | /pattern",
        "{'uniqueItems': 'yes'} | /uniqueItems",
        "{'$ref': 1} | /$ref",
        "{'dependentRequired': {'a': 'b'}} | /dependentRequired",
        "{'$schema': 'http://json-schema.org/draft-03/schema#'} | /$schema"
      })
  void a_form_that_means_nothing_is_refused_at_its_place(String form, String place) {
    assertThat(Form.problems(json(form), FormLimits.DEFAULT))
        .first()
        .asString()
        .startsWith(place + ": ");
  }

  private static List<String> errors(String form, String data) {
    return Form.of(json(form), FormLimits.DEFAULT)
        .errors(JsonText.parse(data.replace('\'', '"'), JsonLimits.STORED));
  }

  private static Map<String, @Nullable Object> json(String text) {
    return JsonText.parseObject(
        text.startsWith("{\"") ? text : text.replace('\'', '"'), JsonLimits.STORED);
  }
}
