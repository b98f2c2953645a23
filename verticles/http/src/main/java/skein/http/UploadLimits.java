package skein.http;

import skein.codecs.JsonLimits;
import skein.pacing.Pace;

/**
 * How much a client may upload as files.
 *
 * @param bytesMax all files of one request together; 1 or more
 * @param entriesMax files and entries of archives in one request; 1 or more
 * @param expandedBytesMax the same files unpacked, all together; 1 or more
 * @param concurrentMax requests with files at a time, of one event loop; 1 or more
 * @param totalBytesMax files of all requests of a node, as sent and unpacked
 * @param pace of unpacking, with all other heavy work of the node
 */
public record UploadLimits(
    int bytesMax,
    int entriesMax,
    int expandedBytesMax,
    int concurrentMax,
    int totalBytesMax,
    Pace pace) {
  /** The size that an export adds around its values. */
  private static final int EXPORT_DEPTH = 16;

  private static final int MEMBERS_MAX = 1_000_000;

  /** 16 MiB as sent, 64 MiB unpacked, 1,000 files, 4 requests at a time, 128 MiB of all. */
  public static final UploadLimits DEFAULT =
      new UploadLimits(16 << 20, 1_000, 64 << 20, 4, 128 << 20);

  /** Nothing pauses. */
  public UploadLimits(
      int bytesMax, int entriesMax, int expandedBytesMax, int concurrentMax, int totalBytesMax) {
    this(bytesMax, entriesMax, expandedBytesMax, concurrentMax, totalBytesMax, Pace.unlimited());
  }

  public UploadLimits {
    if (bytesMax < 1 || entriesMax < 1 || expandedBytesMax < 1 || concurrentMax < 1) {
      throw new IllegalArgumentException(
          "bytesMax %d, entriesMax %d, expandedBytesMax %d, concurrentMax %d: 1 or more"
              .formatted(bytesMax, entriesMax, expandedBytesMax, concurrentMax));
    }
    if (totalBytesMax < (long) bytesMax + expandedBytesMax) {
      throw new IllegalArgumentException(
          "totalBytesMax " + totalBytesMax + ": one request would not fit");
    }
  }

  /** An exported instance is larger, and a little deeper, than what made it. */
  JsonLimits ofExports(JsonLimits json) {
    return new JsonLimits(
        bytesMax,
        Math.min(json.depthMax() + EXPORT_DEPTH, JsonLimits.DEPTH_CEILING),
        bytesMax,
        json.numberDigitsMax(),
        Math.max(json.membersMax(), MEMBERS_MAX));
  }
}
