package skein.codecs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where the members of a JSON object stand in its text, and the elements of those that are arrays:
 * for taking a few of many elements out of a text that this server has stored, without making
 * objects of all of them. Immutable.
 */
public final class JsonOutline {
  private static final JsonFactory READERS =
      JsonFactory.builder()
          .enable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(JsonLimits.STORED.depthMax() + 2)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final String text;
  private final Map<String, Elements> arrays;
  private final Map<String, String> scalars;

  private JsonOutline(String text, Map<String, Elements> arrays, Map<String, String> scalars) {
    this.text = text;
    this.arrays = arrays;
    this.scalars = scalars;
  }

  /**
   * Reads the text once.
   *
   * @return empty when the text is not an object
   * @throws IllegalArgumentException when it is not JSON
   */
  public static Optional<JsonOutline> of(String text) {
    try (var parser = READERS.createParser(text.toCharArray())) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      var arrays = new LinkedHashMap<String, Elements>();
      var scalars = new LinkedHashMap<String, String>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        var name = parser.currentName();
        switch (parser.nextToken()) {
          case START_ARRAY -> arrays.put(name, Elements.read(parser));
          case START_OBJECT -> parser.skipChildren();
          default -> scalars.put(name, parser.getText());
        }
      }
      return Optional.of(new JsonOutline(text, arrays, scalars));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A string, number, true, false or null as text; empty when there is none of this name. */
  public Optional<String> scalar(String member) {
    return Optional.ofNullable(scalars.get(member));
  }

  /** How many elements the array has; 0 when there is none of this name. */
  public int size(String member) {
    return elements(member).size;
  }

  /** The text of one element. */
  public String element(String member, int index) {
    return slice(member, index, index + 1);
  }

  /**
   * The text of an array of the elements from one index, inclusive, to another one, exclusive.
   *
   * @throws IndexOutOfBoundsException when there are fewer
   */
  public String elements(String member, int from, int to) {
    return "[" + (from == to ? "" : slice(member, from, to)) + "]";
  }

  private String slice(String member, int from, int to) {
    var elements = elements(member);
    if (from < 0 || from >= to || to > elements.size) {
      throw new IndexOutOfBoundsException(
          "Elements " + from + " to " + to + " of " + elements.size + " in " + member);
    }
    return text.substring(elements.bounds[2 * from], elements.bounds[2 * to - 1]);
  }

  private Elements elements(String member) {
    return arrays.getOrDefault(member, Elements.NONE);
  }

  /** Where each element begins, and where it ends, exclusive: two numbers an element. */
  private static final class Elements {
    static final Elements NONE = new Elements(new int[0], 0);

    final int[] bounds;
    final int size;

    Elements(int[] bounds, int size) {
      this.bounds = bounds;
      this.size = size;
    }

    static Elements read(JsonParser parser) throws IOException {
      var bounds = new int[32];
      int count = 0;
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        if (count == bounds.length) {
          bounds = Arrays.copyOf(bounds, 2 * count);
        }
        bounds[count++] = (int) parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        parser.finishToken();
        bounds[count++] = (int) parser.currentLocation().getCharOffset();
      }
      return new Elements(bounds, count / 2);
    }
  }
}
