package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConversionsTest {
  private static Object convert(Object value, String typeName) {
    var converted = Expressions.convert(value, typeName);
    assertThat(converted).isNotNull();
    return converted == null ? "" : converted;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          System.Net.HttpStatusCode, System.Net.Primitives | OK                 | 200
          System.Net.HttpStatusCode, System.Net.Primitives | notfound           | 404
          System.Net.HttpStatusCode, System.Net.Primitives | 201                | 201
          Int16                                            | -5                 | -5
          System.Int64                                     | 9007199254740993   | 9007199254740993
          System.Nullable`1[[System.Int32, mscorlib]]      | 7                  | 7
          Int32?                                           | 7                  | 7
          Boolean                                          | True               | true
          Double                                           | 2.5                | 2.5
          Decimal                                          | 10.00              | 10
          Decimal                                          | 0.1234567890123456789 | 0.1234567890123456789
          TimeSpan                                         | 00:00:05           | PT5S
          TimeSpan                                         | 1.02:03:04.5       | PT26H3M4.5S
          TimeSpan                                         | PT5S               | PT5S
          DateTimeOffset                                   | 2020-01-01 02:03:04 +02:00 | 2020-01-01T02:03:04+02:00
          DateTime                                         | 2020-01-01         | 2020-01-01T00:00
          Guid                                             | {0F8FAD5B-D9CB-469F-A165-70867728950E} | 0f8fad5b-d9cb-469f-a165-70867728950e
          Guid                                             | 0f8fad5bd9cb469fa16570867728950e | 0f8fad5b-d9cb-469f-a165-70867728950e
          Acme.Unknown, Acme                               | as it was          | as it was
          Object                                           | [1]                | [1]
          """)
  void text_becomes_what_the_type_says(String type, String text, String expected) {
    assertThat(convert(text, type)).hasToString(expected);
  }

  @Test
  void structures_are_parsed_where_a_structure_is_asked_for() {
    assertThat(convert("{\"a\":1}", "JSON")).isEqualTo(Map.of("a", 1L));
    assertThat(convert("plain", "JSON")).isEqualTo("plain");
    assertThat(convert("{\"a\":1}", "IDictionary<String, Object>")).isEqualTo(Map.of("a", 1L));
    assertThat(convert("[1,\"2\"]", "Int32[]")).isEqualTo(List.of(1L, 2L));
    assertThat(convert("[\"a\"]", "List<String>")).isEqualTo(List.of("a"));
    assertThat(convert("a", "[]".repeat(100_000))).isEqualTo("a");
    assertThat(convert("one", "String[]")).isEqualTo(List.of("one"));
    assertThat(convert("[\"a\"]", "System.String, System.Private.CoreLib[]"))
        .isEqualTo(List.of("a"));
    assertThat(
            convert(
                List.of(1L),
                "System.Collections.Generic.List`1[[System.String, System.Private.CoreLib]],"
                    + " System.Private.CoreLib"))
        .isEqualTo(List.of("1"));
  }

  @Test
  void text_of_values_is_what_dotnet_prints() {
    assertThat(convert(true, "String")).isEqualTo("True");
    assertThat(convert(5.0, "String")).isEqualTo("5");
    assertThat(convert(0.1, "String")).isEqualTo("0.1");
    assertThat(convert(new BigDecimal("1E+3"), "String")).isEqualTo("1000");
    assertThat(convert(List.of(1L, "x"), "String")).isEqualTo("[1,\"x\"]");
    assertThat(convert(Map.of("a", true), "String")).isEqualTo("{\"a\":true}");
  }

  @Test
  void numbers_are_rounded_and_bounded() {
    assertThat(convert(2.5, "Int32")).isEqualTo(2L);
    assertThat(convert(3.5, "Int32")).isEqualTo(4L);
    assertThat(convert(true, "Int32")).isEqualTo(1L);
    assertThat(convert("18446744073709551615", "UInt64"))
        .isEqualTo(new BigInteger("18446744073709551615"));
    assertThatThrownBy(() -> convert(3_000_000_000L, "Int32"))
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> assertThat(e.kind()).isEqualTo(ExpressionException.CONVERSION_ERROR));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Int32",
        "Double",
        "Decimal",
        "Boolean",
        "Guid",
        "TimeSpan",
        "DateTime",
        "JsonObject",
        "System.Net.HttpStatusCode, System.Net.Primitives",
        "ByteArray",
        "1e999999999"
      })
  void nonsense_is_refused_and_blank_is_null(String type) {
    var target = type.startsWith("1e") ? "Decimal" : type;
    var nonsense = type.startsWith("1e") ? type : "~nonsense~";

    assertThat(Expressions.convert("  ", target)).isNull();
    assertThatThrownBy(() -> convert(nonsense, target)).isInstanceOf(ExpressionException.class);
  }

  @Test
  void bytes_are_base64() {
    assertThat(convert(List.of(1L, 255L), "ByteArray")).isEqualTo("Af8=");
    assertThat(convert("Af8=", "Byte[]")).isEqualTo("Af8=");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          Int16             | "12"                    | 12
          Int16             | 12.0                    | 12
          Int32             | "-12"                   | -12
          Int64             | "9007199254740993"      | 9007199254740993
          Long              | 5                       | 5
          Byte              | 255                     | 255
          SByte             | "-128"                  | -128
          UInt16            | 65535                   | 65535
          UInt32            | 4294967295              | 4294967295
          UInt64            | "18446744073709551615"  | 18446744073709551615
          Single            | "1.5"                   | 1.5
          Double            | "1e3"                   | 1000.0
          Decimal           | "12.340"                | 12.340
          Boolean           | "true"                  | true
          Boolean           | 0                       | false
          String            | 12.0                    | 12
          String            | {"a":[1]}               | {"a":[1]}
          Object            | {"a":1}                 | {a=1}
          ByteArray         | [1,255]                 | Af8=
          Byte[]            | "Af8="                  | Af8=
          Guid              | "0F8FAD5BD9CB469FA16570867728950E" | 0f8fad5b-d9cb-469f-a165-70867728950e
          DateTime          | "2020-01-02T03:04:05"   | 2020-01-02T03:04:05
          DateTime          | "2020-01-02T03:04:05Z"  | 2020-01-02T03:04:05Z
          DateTimeOffset    | "2020-01-02T03:04:05"   | 2020-01-02T03:04:05Z
          DateTimeOffset    | 0                       | 1970-01-01T00:00Z
          DateOnly          | "2020-01-02"            | 2020-01-02
          TimeOnly          | "03:04:05"              | 03:04:05
          TimeSpan          | "1.02:03:04"            | PT26H3M4S
          TimeSpan          | 1500                    | PT1.5S
          Stream            | "text"                  | text
          JSON              | "[1,2]"                 | [1, 2]
          JsonElement       | "{\\"a\\":1}"           | {a=1}
          JsonNode          | "[1]"                   | [1]
          JsonObject        | {"a":1}                 | {a=1}
          JsonArray         | "[1]"                   | [1]
          ExpandoObject     | "{\\"a\\":1}"           | {a=1}
          HttpHeaders       | "{\\"a\\":[\\"b\\"]}"   | {a=[b]}
          HttpRequest       | {"a":1}                 | {a=1}
          HttpFile          | {"a":1}                 | {a=1}
          HttpFile[]        | {"a":1}                 | {a=1}
          FormFile[]        | "as it was"             | as it was
          FlowScope         | {"a":1}                 | {a=1}
          Token             | "t"                     | t
          ExceptionState    | {"Message":"m"}         | {Message=m}
          FaultException    | {"Message":"m"}         | {Message=m}
          VariablesDictionary | "{\\"a\\":1}"         | {a=1}
          IDictionary<String, Object> | {"a":1}       | {a=1}
          System.Collections.Generic.Dictionary`2[[System.String, x],[System.Object, x]], x | {"a":1} | {a=1}
          String[]          | [1,true]                | [1, True]
          Int32[]           | ["1",2.0]               | [1, 2]
          Int32[]           | "7"                     | [7]
          Boolean[]         | "[true,\\"false\\"]"    | [true, false]
          Guid[]            | ["0F8FAD5BD9CB469FA16570867728950E"] | [0f8fad5b-d9cb-469f-a165-70867728950e]
          TimeSpan[]        | ["00:00:05"]            | [PT5S]
          Object[]          | "one"                   | [one]
          Object[]          | [1,"a"]                 | [1, a]
          List<Int64>       | ["1"]                   | [1]
          ICollection<String> | [1]                   | [1]
          """)
  void every_alias_takes_the_literals_that_definitions_write(
      String type, String literal, String expected) {
    assertThat(Expressions.convert(JsonText.parse(literal), type)).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Int16     | 40000
          Byte      | 256
          UInt32    | -1
          Boolean   | maybe
          Double    | 1e999
          DateTime  | 2020-13-01
          TimeSpan  | 25 apples
          TimeOnly  | 25:00
          DateOnly  | yesterday
          Guid      | 1-1-1-1-1
          ByteArray | %%%
          JsonArray[] | [
          Int32[]   | [1,"x"]
          """)
  void what_does_not_fit_says_the_shape_of_the_value_and_the_type(String type, String text) {
    assertThatThrownBy(() -> convert(text, type))
        .hasMessageStartingWith(
            "cannot convert a text of " + text.length() + " characters to " + type + ": ")
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> assertThat(e.kind()).isEqualTo(ExpressionException.CONVERSION_ERROR));
  }
}
