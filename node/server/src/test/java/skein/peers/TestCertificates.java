package skein.peers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.security.auth.x500.X500Principal;
import skein.peers.UnusableTlsException.Use;

/** An authority, and the files of those whose certificates it has signed. */
public final class TestCertificates {
  private static final AtomicInteger SERIAL = new AtomicInteger(1);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final int SEQUENCE = 0x30;
  private static final int SET_OF_EXTENSIONS = 0xa3;
  private static final int VERSION = 0xa0;
  private static final int INTEGER = 2;
  private static final int BITS = 3;
  private static final int GENERALIZED_TIME = 24;
  private static final int SHORT = 0x80;

  /** SEQUENCE { ecdsa-with-SHA256 }. */
  private static final byte[] ALGORITHM = {
    0x30, 0x0a, 6, 8, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 4, 3, 2
  };

  /** SEQUENCE { basicConstraints, critical, it is an authority }. */
  private static final byte[] AUTHORITY = {
    0x30, 0x0f, 6, 3, 0x55, 0x1d, 0x13, 1, 1, (byte) 0xff, 4, 5, 0x30, 3, 1, 1, (byte) 0xff
  };

  /** SEQUENCE { subjectAltName, 127.0.0.1 and localhost }. */
  private static final byte[] LOCALHOST = {
    0x30,
    0x1a,
    6,
    3,
    0x55,
    0x1d,
    0x11,
    4,
    0x13,
    0x30,
    0x11,
    (byte) 0x87,
    4,
    0x7f,
    0,
    0,
    1,
    (byte) 0x82,
    9,
    'l',
    'o',
    'c',
    'a',
    'l',
    'h',
    'o',
    's',
    't'
  };

  private final Path folder;
  private final X500Principal name;
  private final KeyPair keys = keys();
  private final Path file;

  /** {@code name}: of the authority, and of its file in {@code folder}. */
  public TestCertificates(Path folder, String name) {
    this.folder = folder;
    this.name = new X500Principal("CN=" + name);
    var now = Instant.now();
    var certificate =
        certificate(this.name, keys, now.minusSeconds(60), now.plus(Duration.ofDays(1)), AUTHORITY);
    this.file = write(folder.resolve(name + ".pem"), "CERTIFICATE", certificate);
  }

  public Path file() {
    return file;
  }

  /** Valid now. */
  public ClusterTls.Files of(String name) {
    var now = Instant.now();
    return of(name, now.minusSeconds(60), now.plus(Duration.ofHours(1)));
  }

  public ClusterTls.Files expired(String name) {
    var now = Instant.now();
    return of(name, now.minusSeconds(60), now.minusSeconds(10));
  }

  public ClusterTls.Files of(String name, Instant begin, Instant end) {
    var own = keys();
    var certificate = certificate(new X500Principal("CN=" + name), own, begin, end, LOCALHOST);
    var key = write(folder.resolve(name + ".key"), "PRIVATE KEY", own.getPrivate().getEncoded());
    return new ClusterTls.Files(
        write(folder.resolve(name + ".pem"), "CERTIFICATE", certificate), key, file);
  }

  /** The same, with authorities that are in one file. */
  public static ClusterTls.Files taking(ClusterTls.Files files, TestCertificates... authorities) {
    try {
      var all =
          List.of(authorities).stream().map(TestCertificates::text).collect(Collectors.joining());
      var both = Files.createTempFile(files.key().getParent(), "authorities", ".pem");
      Files.writeString(both, all);
      return new ClusterTls.Files(files.certificate(), files.key(), both);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of a client with that certificate, who takes those of its authorities. */
  public static SSLContext context(ClusterTls.Files files) {
    var pem = new PemFiles(Use.HTTPS);
    var chain = pem.certificates(files.certificate(), pem.text(files.certificate()));
    var key = pem.key(files.key(), pem.text(files.key()), files.certificate(), chain.getFirst());
    var trusted = pem.certificates(files.authorities(), pem.text(files.authorities()));
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(
          PemFiles.keyManagers(key, chain.toArray(X509Certificate[]::new)),
          PemFiles.trustManagers(trusted),
          null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private String text() {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KeyPair keys() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] certificate(
      X500Principal subject, KeyPair own, Instant begin, Instant end, byte[] extension) {
    var extensions = der(SET_OF_EXTENSIONS, der(SEQUENCE, extension));
    var statement =
        der(
            SEQUENCE,
            der(VERSION, der(INTEGER, new byte[] {2})),
            der(INTEGER, BigInteger.valueOf(SERIAL.getAndIncrement()).toByteArray()),
            ALGORITHM,
            name.getEncoded(),
            der(SEQUENCE, time(begin), time(end)),
            subject.getEncoded(),
            own.getPublic().getEncoded(),
            extensions);
    try {
      var signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(statement);
      return der(SEQUENCE, statement, ALGORITHM, der(BITS, new byte[1], signature.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] time(Instant time) {
    return der(GENERALIZED_TIME, TIME.format(time).getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] der(int tag, byte[]... parts) {
    var content = new ByteArrayOutputStream();
    for (var part : parts) {
      content.writeBytes(part);
    }
    var all = new ByteArrayOutputStream();
    all.write(tag);
    if (content.size() < SHORT) {
      all.write(content.size());
    } else {
      var length = BigInteger.valueOf(content.size()).toByteArray();
      int from = length[0] == 0 ? 1 : 0;
      all.write(SHORT | (length.length - from));
      all.write(length, from, length.length - from);
    }
    all.writeBytes(content.toByteArray());
    return all.toByteArray();
  }

  private static Path write(Path file, String kind, byte[] bytes) {
    var text = Base64.getMimeEncoder().encodeToString(bytes);
    try {
      Files.writeString(
          file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
      return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
