/** Runs whose changes Cloudflare carries out without an answer. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { scratchRepository } from "#fleet/testing/repository.ts";
import type { Edge } from "#local/edge.ts";
import { clientSettings, openPlatform, platformSettings, serveProviders, stackOf } from "../testing/platform.ts";
import { type Interference, startApiProxy } from "./testing/api-proxy.ts";
import { killFleets, runFleet } from "./testing/fleet-run.ts";

let edge: Edge;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  await (await stackOf(edge, platformSettings([]))).up();
});
afterAll(() => close());

/** Runs a command of the fleet whose API calls go through a proxy. */
async function fleetThrough(interference: Interference, args: string[]) {
  const proxy = await startApiProxy(edge, interference);
  onTestFinished(proxy.close);
  const stop = await serveProviders(edge, proxy.url);
  onTestFinished(killFleets);
  try {
    return { ...(await runFleet(edge, args, { CLOUDFLARE_BASE_URL: proxy.url })), changes: proxy.changes };
  } finally {
    await stop();
  }
}

/** Loses the first answer to each change of a kind. */
function firstLost(methods: readonly string[]): Interference {
  const seen = new Set<string>();
  return (method, path) => {
    const [plain = ""] = path.split("?");
    if (!methods.includes(method) || seen.has(`${method} ${plain}`)) return undefined;
    seen.add(`${method} ${plain}`);
    return "lost";
  };
}

test("completes the deployment and the removal of a tenant, and leaves nothing", async () => {
  const before = edge.store.counts();
  const repository = scratchRepository();
  const config = {
    "tenantry:platformStack": "organization/tenantry/whole",
    "tenantry:clients": clientSettings([{ slug: "acme" }]),
  };
  repository.write("prod-acme", `config: ${JSON.stringify(config)}\n`);
  const up = await fleetThrough(firstLost(["POST", "PUT", "PATCH"]), ["up", "--tenants", repository.directory]);
  console.log(up.output, up.progress, up.changes, edge.store.counts());
  expect(up, up.progress).toMatchObject({ code: 0 });
  const names = edge.store.list("api_token").map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  expect(before).toBeDefined();
});
