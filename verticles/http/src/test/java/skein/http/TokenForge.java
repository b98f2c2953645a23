package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Tokens as their issuers make them, and as those who are no issuers do. */
final class TokenForge {
  private TokenForge() {}

  static KeyPair keys() {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static JsonObject jwks(String kid, KeyPair keys) {
    var key = (RSAPublicKey) keys.getPublic();
    return new JsonObject()
        .put(
            "keys",
            new JsonArray()
                .add(
                    new JsonObject()
                        .put("kty", "RSA")
                        .put("use", "sig")
                        .put("alg", "RS256")
                        .put("kid", kid)
                        .put("n", base64(unsigned(key.getModulus())))
                        .put("e", base64(unsigned(key.getPublicExponent())))));
  }

  static byte[] unsigned(BigInteger number) {
    var bytes = number.toByteArray();
    return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
  }

  static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static String unsigned(JsonObject header, JsonObject claims) {
    return base64(header.encode().getBytes(UTF_8)) + "." + base64(claims.encode().getBytes(UTF_8));
  }

  static String rs256(String kid, JsonObject claims, PrivateKey key) {
    var header = new JsonObject().put("alg", "RS256").put("typ", "JWT").put("kid", kid);
    try {
      var signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key);
      var text = unsigned(header, claims);
      signature.update(text.getBytes(UTF_8));
      return text + "." + base64(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static String hs256(JsonObject header, JsonObject claims, byte[] key) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      var text = unsigned(header.copy().put("alg", "HS256").put("typ", "JWT"), claims);
      return text + "." + base64(mac.doFinal(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The parts of a token: header, claims and signature. */
  static JsonObject part(String token, int number) {
    return new JsonObject(
        new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[number]), UTF_8));
  }
}
