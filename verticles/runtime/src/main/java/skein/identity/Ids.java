package skein.identity;

import java.util.HexFormat;

/** Ids of users, roles and applications. */
public final class Ids {
  private static final int BYTES = 8;

  private Ids() {}

  /** 16 hexadecimal digits. */
  public static String random() {
    return HexFormat.of().formatHex(Secrets.bytes(BYTES));
  }
}
