package skein.identity;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import java.util.List;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.SessionStore.Whose;

/**
 * Identifies the person that an OpenID provider has signed in, by the token that it sends with its
 * code. It is verified as bearer tokens are, and its claims mean what theirs mean. Thread-safe.
 *
 * @see <a href="https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation">OpenID
 *     Connect Core 1.0, 3.1.3.7</a>
 */
final class IdTokens {
  private final IssuerTokens tokens;
  private final OpenIdClient client;
  private final RolePermissions roles;

  /** {@code tokens}: of the provider whose client it is, for the client. */
  IdTokens(IssuerTokens tokens, OpenIdClient client, RolePermissions roles) {
    this.tokens = tokens;
    this.client = client;
    this.roles = roles;
  }

  String issuer() {
    return tokens.issuer();
  }

  /**
   * Fails with {@link ErrorCode#FORBIDDEN} for people who may do nothing here, and with anything
   * else for a token that is not valid.
   */
  Future<Whose.Person> verify(String token, String nonce) {
    var shape = TokenShape.of(token, IssuerTokens.ALGORITHMS);
    if (shape == null || !tokens.isOf(shape)) {
      return Future.failedFuture(
          new IllegalArgumentException("The id_token is not one of the issuer's"));
    }
    return tokens.verified(token, shape).compose(verified -> admitted(verified, nonce));
  }

  private Future<Whose.Person> admitted(VerifiedToken token, String nonce) {
    if (!nonce.equals(token.claims().getValue("nonce"))) {
      throw new IllegalArgumentException("The id_token has another nonce, or none");
    }
    var party = token.claims().getValue("azp");
    boolean several =
        token.claims().getValue("aud") instanceof JsonArray audience && audience.size() > 1;
    if (party == null ? several : !client.id().equals(party)) {
      throw new IllegalArgumentException("The id_token was issued to another party (azp)");
    }
    var subject = token.text("sub");
    if (subject == null) {
      throw new IllegalArgumentException("The id_token has no sub");
    }
    var person = person(token);
    var known =
        new Whose.Person(
            issuer(),
            subject,
            person.name(),
            person.roles(),
            List.copyOf(person.permissions().names()),
            person.tenant());
    return roles
        .of(person.roles())
        .map(found -> {
          if (found.permissions().plus(person.permissions()).names().isEmpty()) {
            throw new SkeinException(
                ErrorCode.FORBIDDEN,
                "You are known as "
                    + person.name()
                    + ", and none of your roles there is one here: ask for one, or for an entry in "
                    + client.setting("roles"));
          }
          return known;
        });
  }

  private Caller.User person(VerifiedToken token) {
    try {
      return tokens.person(token);
    } catch (IssuerTokens.ForeignNameException e) {
      throw new SkeinException(
          ErrorCode.FORBIDDEN,
          e.getMessage()
              + ": ask for another name there, or for an entry in "
              + client.setting("name-prefix"));
    } catch (IssuerTokens.ForeignTenantException e) {
      throw new SkeinException(
          ErrorCode.FORBIDDEN,
          e.getMessage()
              + ": ask for another tenant there, or for an entry in "
              + client.setting("tenants"));
    }
  }
}
