package skein.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Cuts what a client sends into records. Of one connection; called in its context alone. */
final class HubRecords {
  private final int bytesMax;
  private StringBuilder begun = new StringBuilder();

  /** {@code bytesMax}: of one record. */
  HubRecords(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * The records that end in this text; what comes after the last is kept for the next.
   *
   * @throws SkeinException {@code TOO_LARGE}
   */
  List<String> add(String text) {
    var records = new ArrayList<String>();
    int start = 0;
    for (int end = text.indexOf(HubMessage.END);
        end >= 0;
        end = text.indexOf(HubMessage.END, start)) {
      append(text, start, end);
      records.add(begun.toString());
      begun = new StringBuilder(); // a large one is not kept
      start = end + 1;
    }
    append(text, start, text.length());
    return records;
  }

  private void append(String text, int start, int end) {
    begun.append(text, start, end);
    if (begun.length() > bytesMax
        || (begun.length() > bytesMax / 3
            && begun.toString().getBytes(StandardCharsets.UTF_8).length > bytesMax)) {
      throw new SkeinException(
          ErrorCode.TOO_LARGE,
          "A message has more than hub.message-bytes-max ("
              + bytesMax
              + ") bytes: send less at once");
    }
  }
}
