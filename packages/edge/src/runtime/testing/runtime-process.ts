/** Runs a runtime with one cell, prints `ready`, and stops on SIGTERM. Arguments: directory, port. */
import { request } from "node:http";
import { Store } from "../../account/store.ts";
import { openFront } from "../../front/front.ts";
import { startRuntime } from "../runtime.ts";
import { dispatchScript, putRoute, putScript } from "./scripts.ts";
import { noContainers, passAll } from "./test-edge.ts";

const [directory = "", portText = ""] = process.argv.slice(2);
const port = Number(portText);
const log = () => {};
const store = new Store(directory);
const front = await openFront(port, log);
const runtime = await startRuntime({ store, directory, domain: "tenantry.test", port, containers: noContainers, log });
front.serve({ control: () => new Response(), access: passAll, runtime, store, issuer: "http://team.test" });
process.on("SIGTERM", async () => {
  await front.stop();
  await runtime.stop();
  store.close();
  process.stdout.write("stopped\n");
});
putScript(store, dispatchScript);
putRoute(store, "*.tenantry.test/*", "dispatch");
putScript(store, { name: "acme", namespace: "tenants", source: `export default { fetch: () => new Response("up") };` });
request({ host: "127.0.0.1", port, headers: { host: "acme.tenantry.test" }, agent: false }, (response) => {
  response.resume();
  response.on("end", () => process.stdout.write("ready\n"));
}).end();
