import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Store } from "../../account/store.ts";
import { GatewayState } from "../../ai-gateway/state.ts";
import { Analytics } from "../kinds/analytics/data-points.ts";
import { createApi } from "./api.ts";
import { FakeRuntime } from "./testing/fake-runtime.ts";

const accountId = "a".repeat(32);

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "local-api-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** Opens the store, sends one request, and closes the store. */
async function send(method: string, path: string, body?: BodyInit): Promise<Response> {
  const store = new Store(directory);
  const gateways = new GatewayState(directory);
  const analytics = new Analytics(directory);
  const options = {
    gatewayLogs: gateways.logs,
    analytics,
    runtime: new FakeRuntime(),
    accountId,
    zoneId: "b".repeat(32),
    domain: "edge.localhost",
    teamDomain: "edge.cloudflareaccess.localhost",
    registryCredentials: () => ({ username: "", password: "" }),
  };
  const api = createApi({ ...options, store, apiToken: "token", log: () => {} });
  const init = { method, headers: { Authorization: "Bearer token" }, ...(body === undefined ? {} : { body }) };
  const response = await api.request(`/accounts/${accountId}${path}`, init);
  const bytes = await response.arrayBuffer();
  store.close();
  gateways.close();
  analytics.close();
  return new Response(bytes, response);
}

test("records and modules are stored after the process ends", async () => {
  await send("POST", "/workers/dispatch/namespaces", JSON.stringify({ name: "tenants" }));
  const form = new FormData();
  form.append("metadata", JSON.stringify({ main_module: "index.js", tags: ["plan:pro"] }));
  form.append("index.js", new File(["export default {};"], "index.js", { type: "application/javascript+module" }));
  const path = "/workers/dispatch/namespaces/tenants/scripts/tenant";
  expect((await send("PUT", path, form)).status).toBe(200);

  expect(await (await send("GET", path)).json()).toMatchObject({ result: { script: { tags: ["plan:pro"] } } });
  const content = await (await send("GET", `${path}/content`)).formData();
  const module = content.get("index.js");
  expect(typeof module === "string" ? module : await module?.text()).toBe("export default {};");

  expect((await send("DELETE", path)).status).toBe(200);
  expect((await send("GET", path)).status).toBe(404);
});
