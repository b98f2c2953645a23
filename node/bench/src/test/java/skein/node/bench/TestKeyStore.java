package skein.node.bench;

import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key whose certificate, signed by itself, names 127.0.0.1; made by the JDK's keytool. */
final class TestKeyStore {
  private static final String PASSWORD = "changeit";
  private static final int MAKE_SECONDS_MAX = 60;

  private final Path file;

  TestKeyStore(Path folder) throws IOException, InterruptedException {
    file = folder.resolve("key.p12");
    var keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=server",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    if (!keytool.waitFor(MAKE_SECONDS_MAX, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      keytool.destroyForcibly();
      throw new IllegalStateException(Files.readString(folder.resolve("keytool.log")));
    }
  }

  HttpServerOptions serverOptions() {
    return new HttpServerOptions()
        .setSsl(true)
        .setKeyCertOptions(new PfxOptions().setPath(file.toString()).setPassword(PASSWORD));
  }

  /** Of clients that take this certificate, and no other. */
  SSLContext trusting() throws GeneralSecurityException, IOException {
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray()));
    var context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }
}
