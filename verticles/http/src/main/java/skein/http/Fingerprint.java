package skein.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import skein.codecs.JsonText;
import skein.identity.Caller;

/**
 * Identifies equal requests: by method, path, query and body, byte for byte. Of forms the fields
 * and files count: what stands between them is different each time they are sent. Those of two
 * callers are never the same.
 */
final class Fingerprint {
  private final MessageDigest digest;

  private Fingerprint() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  static String of(Call call) {
    var print = new Fingerprint();
    if (!(call.caller() instanceof Caller.Anonymous)) {
      print.add(call.caller().label());
    }
    call.credentials().forEach(print::add);
    print.add(call.method());
    print.add(call.rawPath());
    print.add(call.rawQuery());
    print.add(call.bytes());
    for (Map.Entry<String, String> field : call.form()) {
      print.add(field.getKey());
      print.add(field.getValue());
    }
    for (var file : call.files()) {
      print.add(file.name());
      print.add(file.content().getBytes());
    }
    for (var file : call.formFiles()) {
      print.add(JsonText.print(file));
    }
    return HexFormat.of().formatHex(print.digest.digest());
  }

  private void add(String part) {
    add(part.getBytes(StandardCharsets.UTF_8));
  }

  /** With its length, so that what is moved from one part to the next makes a difference. */
  private void add(byte[] part) {
    digest.update((part.length + ":").getBytes(StandardCharsets.US_ASCII));
    digest.update(part);
  }
}
