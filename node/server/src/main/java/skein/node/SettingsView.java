package skein.node;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import skein.cluster.Inquiries;
import skein.node.config.EffectiveSetting;

/** Lists the settings of this node, and where each is written; secrets are hidden. */
record SettingsView(List<EffectiveSetting> settings) implements Inquiries.Answerer {
  @Override
  public Future<JsonObject> answer(JsonObject question) {
    var items = new JsonArray();
    settings.forEach(setting ->
        items.add(
            new JsonObject()
                .put("key", setting.key())
                .put("value", setting.value())
                .put("origin", setting.origin())
                .put("isDefault", setting.origin().equals(EffectiveSetting.DEFAULT))));
    return Future.succeededFuture(new JsonObject().put("items", items));
  }
}
