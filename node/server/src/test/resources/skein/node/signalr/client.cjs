// A client of the hub: node client.cjs URL TRANSPORT [INSTANCE] [TOKEN]; one JSON text a line is what happened.
// With COUNT in the environment so many connections observe instances INSTANCES (with commas), each in turn.
const signalR = require("@microsoft/signalr");
const [url, transport, instance, token] = process.argv.slice(2);

function say(what) {
  process.stdout.write(JSON.stringify(what) + "\n");
}

// With PORTS in the environment (with commas) each request goes to the next of them.
const ports = process.env.PORTS ? process.env.PORTS.split(",") : [];

class Rotating extends signalR.DefaultHttpClient {
  turn = 0;

  send(request) {
    const next = new URL(request.url);
    next.port = ports[this.turn++ % ports.length];
    return super.send({ ...request, url: next.toString() });
  }
}

function connection() {
  const built = new signalR.HubConnectionBuilder()
    .withUrl(url, {
      transport: signalR.HttpTransportType[transport],
      httpClient: ports.length ? new Rotating({ log() {} }) : undefined,
      accessTokenFactory: token ? () => token : undefined,
    })
    .withAutomaticReconnect([0, 500, 500, 1000, 1000, 2000, 2000, 5000])
    .configureLogging(signalR.LogLevel.None)
    .build();
  return built;
}

async function one() {
  const hub = connection();
  hub.on("WorkflowInstanceUpdatedAsync", (message) => say({ event: "instance", at: Date.now(), message }));
  hub.on("WorkflowExecutionLogUpdatedAsync", (message) => say({ event: "log", message }));
  hub.on("ActivityExecutionLogUpdatedAsync", (message) => say({ event: "activities", message }));
  hub.onclose((error) => say({ event: "closed", error: error ? error.message : null }));
  hub.onreconnecting((error) => say({ event: "reconnecting", error: error ? error.message : null }));
  hub.onreconnected(async () => {
    await hub.invoke("ObserveInstanceAsync", instance);
    say({ event: "reconnected" });
  });
  await hub.start();
  say({ event: "started" });
  try {
    await hub.invoke("ObserveInstanceAsync", instance);
    say({ event: "observing" });
  } catch (e) {
    say({ event: "refused", error: e.message });
  }
  process.stdin.on("data", async () => {
    await hub.stop();
    process.exit(0);
  });
}

async function many() {
  const instances = process.env.INSTANCES.split(",");
  let observing = 0;
  for (let i = 0; i < Number(process.env.COUNT); i++) {
    const id = instances[i % instances.length];
    const hub = connection();
    hub.on("WorkflowInstanceUpdatedAsync", () => say({ event: "instance", at: Date.now(), id }));
    hub.on("WorkflowExecutionLogUpdatedAsync", () => {});
    hub.on("ActivityExecutionLogUpdatedAsync", () => {});
    hub.onclose((error) => say({ event: "closed", error: error ? error.message : null }));
    await hub.start();
    await hub.invoke("ObserveInstanceAsync", id);
    observing++;
  }
  say({ event: "observing", count: observing });
  process.stdin.on("data", () => process.exit(0));
}

(process.env.COUNT ? many() : one()).catch((e) => {
  say({ event: "failed", error: e.message });
  process.exit(1);
});
