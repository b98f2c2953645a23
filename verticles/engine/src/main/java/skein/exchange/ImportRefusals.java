package skein.exchange;

import java.util.List;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Why a file is not imported. */
final class ImportRefusals {
  private ImportRefusals() {}

  /**
   * @param member of the file that cannot be taken over
   * @param why as the rest of a sentence, with what to do
   */
  static SkeinException at(String member, String why) {
    return new SkeinException(
        ErrorCode.INVALID_REQUEST,
        "The instance was not imported: " + member + ": " + why,
        List.of(member),
        null);
  }

  static SkeinException tooLarge(String member, String why) {
    return new SkeinException(
        ErrorCode.TOO_LARGE,
        "The instance was not imported: " + member + ": " + why,
        List.of(member),
        null);
  }
}
