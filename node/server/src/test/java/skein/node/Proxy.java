package skein.node;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A proxy in front of one node, as a process of its own, that denies the API and keeps its
 * connections to the node for requests of others.
 */
enum Proxy {
  /** With the configuration of {@code docker}. */
  HAPROXY("haproxy") {
    @Override
    String configuration(Path folder, int port, int nodePort) throws IOException {
      var given = Files.readString(Path.of("../../docker/haproxy.cfg"));
      return given
          .replaceAll("timeout (client|server) \\S+", "timeout $1 2s")
          .replace("  bind :8080\n", "  bind 127.0.0.1:" + port + "\n" + HAPROXY_DENIES)
          .replace("  balance roundrobin\n", "  balance roundrobin\n  http-reuse always\n")
          .replace(" resolvers names resolve-prefer ipv4 init-addr none", "")
          .replaceAll("  server elsa-node[23] .*\n?", "")
          .replace(" elsa-node1:8080", " 127.0.0.1:" + nodePort);
    }

    @Override
    List<String> command(Path configuration) {
      return List.of("haproxy", "-db", "-f", configuration.toString());
    }
  },
  NGINX("nginx") {
    @Override
    String configuration(Path folder, int port, int nodePort) {
      return NGINX_CONFIGURATION
          .replace("FOLDER", folder.toString())
          .replace("NODE_PORT", String.valueOf(nodePort))
          .replace("PORT", String.valueOf(port));
    }

    @Override
    List<String> command(Path configuration) {
      return List.of("nginx", "-c", configuration.toString(), "-e", "stderr");
    }
  };

  private static final Duration START_MAX = Duration.ofSeconds(20);

  private static final String HAPROXY_DENIES =
      "  http-request deny deny_status 403 if { path_beg /elsa/api }\n";

  private static final String NGINX_CONFIGURATION =
      """
      daemon off;
      master_process off;
      pid FOLDER/nginx.pid;
      events {}
      http {
        access_log off;
        client_body_temp_path FOLDER/bodies;
        proxy_temp_path FOLDER/answers;
        fastcgi_temp_path FOLDER/fastcgi;
        uwsgi_temp_path FOLDER/uwsgi;
        scgi_temp_path FOLDER/scgi;
        client_header_timeout 2s;
        client_body_timeout 2s;
        upstream nodes {
          server 127.0.0.1:NODE_PORT;
          keepalive 16;
        }
        server {
          listen 127.0.0.1:PORT;
          location /elsa/api { return 403; }
          location / {
            proxy_pass http://nodes;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_request_buffering off;
            proxy_read_timeout 2s;
            proxy_next_upstream off;
          }
        }
      }
      """;

  private final String program;

  Proxy(String program) {
    this.program = program;
  }

  abstract String configuration(Path folder, int port, int nodePort) throws IOException;

  abstract List<String> command(Path configuration);

  String program() {
    return program;
  }

  boolean isInstalled() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** Returns when it passes requests on. */
  Running start(Path folder, int port, int nodePort) throws IOException {
    Files.createDirectories(folder);
    var file = folder.resolve(program + ".cfg");
    Files.writeString(file, configuration(folder, port, nodePort));
    var log = folder.resolve(program + ".log").toFile();
    var process =
        new ProcessBuilder(command(file)).redirectErrorStream(true).redirectOutput(log).start();
    var running = new Running(process, port);
    if (!Eventually.isTrue(START_MAX, running::passes)) {
      running.close();
      throw new IllegalStateException(
          program + " does not answer: " + Files.readString(log.toPath()));
    }
    return running;
  }

  /** Closing it ends the process. */
  record Running(Process process, int port) implements AutoCloseable {
    private boolean passes() {
      try (var sockets = new RawSockets(port)) {
        return sockets
            .ask("GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .startsWith("HTTP/1.1 200 ");
      } catch (UncheckedIOException _) {
        return false;
      }
    }

    @Override
    public void close() {
      process.destroy();
      try {
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted while a proxy ends", e);
      }
    }
  }
}
