package skein.http;

import java.util.List;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Refuses a request for what it holds. */
final class BadRequest {
  private BadRequest() {}

  /** {@code what}: is wrong, and what was expected. */
  static SkeinException of(String what) {
    return new SkeinException(ErrorCode.INVALID_REQUEST, what, List.of(), null);
  }
}
