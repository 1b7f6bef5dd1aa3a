/** Runs whose changes Cloudflare carries out without an answer, while every list shows changes late. */
import { faults } from "@tenantry/edge";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { scratchRepository } from "#fleet/testing/repository.ts";
import type { Edge } from "#local/edge.ts";
import { openPlatform, platformSettings, serveProviders, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { type Interference, startApiProxy } from "./testing/api-proxy.ts";
import { stackFile } from "./testing/doctor-steps.ts";
import { killFleets, runFleet } from "./testing/fleet-run.ts";

/** Shares of faults: only lists are late. */
const LATE_LISTS = Object.fromEntries(
  Object.entries(faults).map(([name, { where }]) => [name, where === "api-lists" ? 1 : 0]),
);

let edge: Edge;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ edge, close } = await openPlatform({ weather: { seed: 1, rates: LATE_LISTS } }));
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
    return await runFleet(edge, args, { CLOUDFLARE_BASE_URL: proxy.url });
  } finally {
    await stop();
    onTestFinished(await serveProviders(edge));
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

test("completes the deployment of a tenant, and its removal", async () => {
  const before = edge.store.counts();
  const repository = scratchRepository();
  repository.write("prod-acme", stackFile("acme"));
  const tenants = ["--tenants", repository.directory];

  const up = await fleetThrough(firstLost(["POST", "PUT", "PATCH"]), ["up", ...tenants]);
  expect(up, up.progress).toMatchObject({ code: 0 });
  expect(up.output).toContain("Cloudflare had carried out changes whose answers were lost: ");
  expect(up.output).toContain("R2 bucket tenantry-backups-acme created");
  // Cloudflare refuses a second application of an object, so the create may have been repeated.
  expect(edge.store.list("container_application")).toHaveLength(1);
  await expectNoChanges(tenants);

  // Names of tokens and policies are not unique: the plugin's retry created second ones.
  const doctor = ["doctor", "whole", ...tenants];
  const found = await runFleet(edge, doctor);
  expect(found.output).toContain("no stack has it; prod-acme has another of this name");
  await sql(edge, "update tenantry.findings set first_seen = now() - interval '25 hours'");
  const fixed = await runFleet(edge, [...doctor, "--fix"]);
  expect(fixed, fixed.output).toMatchObject({ code: 0 });
  for (const kind of ["api_token", "access_policy", "access_application", "access_group"] as const) {
    const names = edge.store.list(kind).map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  }
  await expectNoChanges(tenants);

  const since = repository.commit();
  repository.remove("prod-acme");
  const removed = await fleetThrough(firstLost(["DELETE"]), ["up", "--destroy", "--since", since, ...tenants]);
  expect(removed, removed.output).toMatchObject({ code: 0 });
  expect(removed.output).toContain("Cloudflare had carried out changes whose answers were lost: ");
  const { bucket: _, ...left } = edge.store.counts();
  const { bucket: __, ...former } = before;
  expect(left).toEqual(former);
});

async function expectNoChanges(tenants: readonly string[]): Promise<void> {
  const preview = await runFleet(edge, ["preview", "--detailed-exitcode", ...tenants]);
  expect(preview, preview.output + preview.progress).toMatchObject({ code: 0 });
}
