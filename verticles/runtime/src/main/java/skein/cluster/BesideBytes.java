package skein.cluster;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.messages.Command;

/**
 * What travels beside the bytes of a command, which nodes of older versions read too.
 *
 * @param secret of {@code MintToken}, a UUID; null: the owner draws one
 * @param variables of {@code Start}, a JSON object; null: there are none
 */
record BesideBytes(@Nullable String secret, @Nullable String variables) {
  static BesideBytes of(Command command) {
    return switch (command) {
      case Command.MintToken mint when mint.secret() != null ->
          new BesideBytes(mint.secret().toString(), null);
      case Command.Start start when !start.variables().isEmpty() ->
          new BesideBytes(null, JsonText.print(start.variables()));
      default -> new BesideBytes(null, null);
    };
  }

  /** The whole command, of one that was read from its bytes. */
  Command with(Command command) {
    return switch (command) {
      case Command.MintToken mint when secret != null ->
          new Command.MintToken(
              mint.bookmarkId(), mint.lifetime(), mint.actor(), UUID.fromString(secret));
      case Command.Start start when variables != null ->
          start.with(JsonText.parseObject(variables, JsonLimits.STORED));
      default -> command;
    };
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "BesideBytes[variables=" + variables + "]";
  }
}
