package skein.node.bench;

import io.netty.buffer.ByteBuf;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Resumes one instance in a thousand places, by many callers at once; then the next instance. */
final class HotScenario implements ClosedScenario {
  /** {@code execution.bookmarks-max} allows no more. */
  private static final int PLACES = 1_000;

  @Override
  public ScenarioName name() {
    return ScenarioName.HOT;
  }

  @Override
  public void prepare(Stage stage) {
    stage.api().publish(Definitions.hot(PLACES));
  }

  @Override
  public Work round(Stage stage) {
    var id = stage.api().start(new JsonObject().put("definitionId", Definitions.HOT));
    var requests = new ArrayList<byte[]>();
    for (var row :
        stage.sql().rows("select id from bookmarks where workflow_instance_id = $1", id)) {
      requests.add(
          Requests.post(
              "/elsa/api/workflow-instances/" + id + "/resume",
              "{\"bookmarkId\":\"" + row.getString(0) + "\"}"));
    }
    Collections.shuffle(requests);
    return new Resumes(requests);
  }

  @Override
  public @Nullable Integer waiting(BenchOptions options) {
    return PLACES;
  }

  private static final class Resumes implements Work {
    private final Iterator<byte[]> requests;

    Resumes(List<byte[]> requests) {
      this.requests = requests.iterator();
    }

    @Override
    public boolean next(int caller, ByteBuf out) {
      if (!requests.hasNext()) {
        return false;
      }
      out.writeBytes(requests.next());
      return true;
    }

    @Override
    public @Nullable String wrong(int caller, int status, ByteBuf body) {
      return status == 200 ? null : "A resume answered " + status;
    }
  }
}
