package skein.http;

import io.vertx.core.Future;
import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import skein.identity.Credential;
import skein.identity.Identity;
import skein.identity.Ids;
import skein.identity.Passwords;
import skein.identity.SignIn;
import skein.ingress.RefusedTokens;
import skein.model.AuditEntry;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.AuditRows;
import skein.storage.UserStore.User;

/** Signing in, and the users who may, in the shapes of Elsa's identity module. */
final class IdentityRoutes {
  static final String LOGIN = "/identity/login";
  static final String REFRESH = "/identity/refresh-token";
  static final String LOGOUT = "/identity/logout";

  private static final int PASSWORD_CHARS_MAX = Passwords.CHARS_MAX;
  private static final int REFUSED_LINES_PER_MINUTE = 10;

  private static final Shape TOKEN_MEMBERS =
      Shape.object()
          .has("isAuthenticated", Shape.FLAG)
          .has("accessToken", Shape.TEXT.orNull())
          .has("refreshToken", Shape.TEXT.orNull());
  private static final Shape TOKENS = TOKEN_MEMBERS.as("Tokens");
  static final Shape TOKENS_OF_PERSON = TOKEN_MEMBERS.has("name", Shape.TEXT).as("TokensOfPerson");
  private static final Shape USER_MEMBERS =
      Shape.object()
          .has("id", Shape.ID)
          .has("name", Shape.ID)
          .has("roles", PrivilegeRules.NAMES)
          .has("tenantId", Shape.TEXT.orNull());
  private static final Shape USER = USER_MEMBERS.as("User");

  private final Identity identity;
  private final Gate gate;
  private final AuditRows audit;
  private final AuditRows refused;
  private final String console;

  /** {@code baseUrl}: where browsers find the cluster. */
  IdentityRoutes(Identity identity, Gate gate, AuditRows audit, URI baseUrl) {
    this.console = baseUrl.toString().replaceAll("/+$", "") + ConsoleFiles.BASE;
    this.identity = identity;
    this.gate = gate;
    this.audit = audit;
    this.refused =
        new RefusedTokens(audit, InstantSource.system(), REFUSED_LINES_PER_MINUTE, new LongAdder());
  }

  void addTo(Routes routes) {
    routes
        .postForSecret(
            LOGIN,
            of("signIn", "Exchanges a name and a password for tokens")
                .needs(Shape.object().has("username", Shape.TEXT).has("password", Shape.TEXT))
                .answers(TOKENS),
            this::login)
        .postForSecret(
            REFRESH,
            of("refreshTokens", "Exchanges a refresh token, which is the bearer token, for others")
                .answers(TOKENS),
            this::refresh)
        .postForSecret(
            LOGOUT,
            of("signOut", "Ends the session of a refresh token, which is the bearer token")
                .answers(
                    Shape.object()
                        .has("ended", Shape.FLAG)
                        .has("providerUrl", Shape.TEXT.orNull())),
            this::logout)
        .get(
            "/identity/users",
            of("listUsers", "Lists users").answers(Shape.object().has("users", Shape.listOf(USER))),
            this::list)
        .postForSecret(
            "/identity/users",
            of("createUser", "Creates a user; without a password one is made, and shown once")
                .needs(
                    Shape.object()
                        .has("name", Shape.ID)
                        .may("password", Shape.TEXT)
                        .may("roles", PrivilegeRules.NAMES))
                .answers(
                    USER_MEMBERS
                        .has("password", Shape.TEXT)
                        .has("hashedPassword", Shape.TEXT)
                        .has("hashedPasswordSalt", Shape.TEXT))
                .fails(ErrorCode.NAME_TAKEN),
            this::create)
        .put(
            "/identity/users/:id",
            of("updateUser", "Changes password or roles; the user has to sign in again")
                .needs(
                    Shape.object().may("password", Shape.TEXT).may("roles", PrivilegeRules.NAMES))
                .answers(USER),
            this::update)
        .delete(
            "/identity/users/:id",
            of("deleteUser", "Deletes a user").answersNothing(204, "It is deleted"),
            this::delete)
        .postForSecret(
            "/identity/secrets/hash",
            of("hashSecret", "Hashes a password as users have it")
                .needs(Shape.object().has("secret", Shape.TEXT))
                .answers(Shape.object().has("hashedSecret", Shape.TEXT).has("salt", Shape.TEXT)),
            this::hash);
  }

  private static Operation of(String id, String summary) {
    return Operation.of(Tag.IDENTITY, id, summary);
  }

  /** {@code {username, password}}; a refusal is 200, too, as Elsa's clients expect it. */
  private Future<Answer> login(Call call) {
    var fields = call.fields();
    var name = fields.required("username").strip();
    var password = password(fields, "password");
    if (password == null) {
      throw BadRequest.of("password is required");
    }
    return identity
        .signIn()
        .withPassword(name, password, gate.address(call.context()))
        .compose(tokens -> {
          var outcome = tokens == null ? ErrorCode.UNAUTHENTICATED.name() : "ok";
          var who = tokens == null ? "claimed:" + name + " (" + call.actor() + ")" : "user:" + name;
          var entry = new AuditEntry("identity.login", outcome, null, null, who);
          return tenantOf(name, call)
              .compose(tenant -> (tokens == null ? refused : audit).add(entry, tenant))
              .map(_ -> Answer.ok(json(tokens)));
        });
  }

  /** The user's, who has the name alone; for a name that none has, that of the host. */
  private Future<String> tenantOf(String name, Call call) {
    return identity
        .users()
        .findByName(name)
        .map(user -> user == null ? call.siteScope().owner() : user.tenant());
  }

  private static String refreshToken(Call call) {
    var credential = Credential.of(call.headers().getAll("Authorization"));
    if (!(credential instanceof Credential.Bearer(var token))) {
      throw new SkeinException(
          ErrorCode.UNAUTHENTICATED, "Send the refresh token as Authorization: Bearer");
    }
    return token;
  }

  /** A user who was signed in by a provider is told where to sign out there, too. */
  private Future<Answer> logout(Call call) {
    return identity
        .signIn()
        .end(refreshToken(call), gate.address(call.context()))
        .compose(ended -> {
          if (ended == null) {
            return Future.succeededFuture(signedOut(false, null));
          }
          var provider = identity.browserSignIns().of(ended).orElse(null);
          var entry = new AuditEntry("identity.logout", "ok", null, null, "user:" + ended.name());
          return audit
              .add(entry, ended.tenant())
              .compose(_ ->
                  provider == null
                      ? Future.succeededFuture((@Nullable String) null)
                      : provider.signOutUrl(console))
              .map(url -> signedOut(true, url));
        });
  }

  private static Answer signedOut(boolean ended, @Nullable String providerUrl) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("ended", ended);
    json.put("providerUrl", providerUrl);
    return Answer.ok(json);
  }

  /** The refresh token is the bearer token. */
  private Future<Answer> refresh(Call call) {
    var token = refreshToken(call);
    return identity
        .signIn()
        .withRefreshToken(token, gate.address(call.context()))
        .map(tokens -> {
          if (tokens == null) {
            throw new SkeinException(
                ErrorCode.UNAUTHENTICATED,
                "The refresh token is not valid any more: sign in again");
          }
          return Answer.ok(json(tokens));
        });
  }

  /** With their name, which a page that comes back from a provider does not know. */
  static Map<String, @Nullable Object> jsonOfPerson(SignIn.Tokens tokens) {
    var json = json(tokens);
    json.put("name", tokens.name());
    return json;
  }

  private static Map<String, @Nullable Object> json(SignIn.@Nullable Tokens tokens) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("isAuthenticated", tokens != null);
    json.put("accessToken", tokens == null ? null : tokens.access());
    json.put("refreshToken", tokens == null ? null : tokens.refresh());
    return json;
  }

  private Future<Answer> list(Call call) {
    return identity
        .users()
        .all(call.scope())
        .map(
            users -> Answer.ok(Map.of("users", users.stream().map(IdentityRoutes::json).toList())));
  }

  /** {@code {name, password, roles}}; without a password one is made, and shown once. */
  private Future<Answer> create(Call call) {
    var fields = call.fields();
    var name = PrivilegeRules.userName(fields, identity);
    var given = password(fields, "password");
    var password = given == null ? Passwords.random() : checked(given);
    var roles = PrivilegeRules.list(fields, "roles");
    call.about(name);
    return PrivilegeRules.check(call, identity, roles)
        .compose(_ -> identity.passwords().hash(password))
        .compose(hash -> {
          var user = new User(Ids.random(), name, hash, roles, call.scope().owner());
          return identity.users().insert(user).map(made -> created(user, made, password));
        });
  }

  private static Answer created(User user, boolean made, String password) {
    if (!made) {
      throw new SkeinException(
          ErrorCode.NAME_TAKEN, "There is a user " + user.name() + ": choose another name");
    }
    var json = json(user);
    json.put("password", password);
    json.putAll(hashed(user.password()));
    return Answer.ok(json);
  }

  /** {@code {password, roles}}: what is given is changed, and the user has to sign in again. */
  private Future<Answer> update(Call call) {
    var id = call.path("id");
    var fields = call.fields();
    var given = password(fields, "password");
    var roles = fields.has("roles") ? PrivilegeRules.list(fields, "roles") : null;
    return mayChange(call, id)
        .compose(_ -> PrivilegeRules.check(call, identity, roles == null ? List.of() : roles))
        .compose(_ ->
            given == null
                ? Future.succeededFuture((@Nullable String) null)
                : identity.passwords().hash(checked(given)).map(hash -> hash))
        .compose(hash -> identity.users().update(id, hash, roles))
        .map(user -> {
          if (user == null) {
            throw unknown(id);
          }
          return Answer.ok(json(user));
        });
  }

  private Future<Answer> delete(Call call) {
    var id = call.path("id");
    return mayChange(call, id)
        .compose(_ -> identity.users().delete(id))
        .map(done -> {
          if (!done) {
            throw unknown(id);
          }
          return Answer.empty(204);
        });
  }

  /** A caller who could change a user with more rights could take over their account. */
  private Future<Void> mayChange(Call call, String id) {
    return identity
        .users()
        .findById(id)
        .compose(user -> {
          if (user == null) {
            throw unknown(id);
          }
          return PrivilegeRules.checkOld(call, identity, user.roles());
        });
  }

  private Future<Answer> hash(Call call) {
    var secret = password(call.fields(), "secret");
    if (secret == null) {
      throw BadRequest.of("secret is required");
    }
    return identity
        .passwords()
        .hash(checked(secret))
        .map(hash -> {
          var salted = hashed(hash);
          var json = new LinkedHashMap<String, @Nullable Object>();
          json.put("hashedSecret", hash);
          json.put("salt", salted.get("hashedPasswordSalt"));
          return Answer.ok(json);
        });
  }

  private static @Nullable String password(Fields fields, String member) {
    var value = fields.value(member);
    if (value != null && !(value instanceof String)) {
      throw BadRequest.of(member + " is not a string");
    }
    var text = value instanceof String given ? given : "";
    if (text.length() > PASSWORD_CHARS_MAX) {
      throw BadRequest.of(member + " has more than " + PASSWORD_CHARS_MAX + " characters");
    }
    return text.isEmpty() ? null : text;
  }

  private static String checked(String password) {
    if (password.length() < Passwords.CHARS_MIN) {
      throw BadRequest.of(
          "The password has fewer than "
              + Passwords.CHARS_MIN
              + " characters: choose a longer one");
    }
    return password;
  }

  private static SkeinException unknown(String id) {
    return new SkeinException(ErrorCode.NOT_FOUND, "No user " + id);
  }

  private static Map<String, @Nullable Object> json(User user) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", user.id());
    json.put("name", user.name());
    json.put("roles", user.roles());
    json.put("tenantId", user.tenant().isEmpty() ? null : user.tenant());
    return json;
  }

  /** The form for configurations of Elsa's clients; the hash has its function, cost and salt. */
  private static Map<String, @Nullable Object> hashed(String hash) {
    var parts = hash.split("\\$", -1);
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("hashedPassword", hash);
    json.put("hashedPasswordSalt", parts.length < 2 ? "" : parts[parts.length - 2]);
    return json;
  }
}
