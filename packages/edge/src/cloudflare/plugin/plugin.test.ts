import { createHash } from "node:crypto";
import { inspect } from "node:util";
import * as cloudflare from "@pulumi/cloudflare";
import { type ProviderServer, pluginEnvironment, startServer } from "@tenantry/plugin-host";
import { missingOutputs } from "@tenantry/plugin-host/testing/declared-outputs";
import { changed, type TestStack, testStack } from "@tenantry/plugin-host/testing/test-stack";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RecordKind } from "../../account/records.ts";
import { type ApiServer, account_id, startApiServer, zone_id } from "../api/testing/api-server.ts";
import { pluginDirectory } from "./executable.ts";
import { cloudflareProvider as standIn } from "./provider.ts";
import { everyKind, everyResource } from "./testing/every-kind.ts";

/** Number of resources including the stack. */
const ALL = everyResource.length + 1;
const CHANGING = everyResource.filter(({ changes }) => changes !== false).length;
/** The bucket and the resources that belong to it. */
const BUCKET = 1 + everyResource.filter(({ ofBucket }) => ofBucket).length;
const RECORDS = everyResource.flatMap(({ record }) => record ?? []);

let api: ApiServer;
let server: ProviderServer;
let stack: TestStack;
let deployed: Awaited<ReturnType<TestStack["stack"]["exportStack"]>>;

beforeAll(async () => {
  api = await startApiServer();
  server = await startServer([await standIn(process.cwd())]);
  stack = await testStack(pluginEnvironment(server), { cloudflare: pluginDirectory });
  await stack.stack.setAllConfig({
    "cloudflare:baseUrl": { value: api.url },
    "cloudflare:apiToken": { value: api.apiToken, secret: true },
  });
}, 60_000);

afterAll(async () => {
  await stack?.dispose();
  await server?.stop();
  await api?.close();
});

function only<K extends RecordKind>(kind: K) {
  const records = api.store.list(kind);
  expect(records).toHaveLength(1);
  const [record] = records;
  if (record === undefined) throw new Error(`there is no ${kind}`);
  return record;
}

const ids = () => RECORDS.map((kind) => [kind, only(kind).id]);

async function failure(): Promise<string> {
  return stack.stack.up().then(
    ({ stdout, stderr }) => `the run came to a good end: ${stdout}${stderr}`,
    (error: unknown) => inspect(error),
  );
}

// One stack: each test starts with the state of the previous one.
describe("every kind of Cloudflare through the engine", () => {
  test("creates each resource in the first run, changes nothing in the second, and encrypts secrets in the state", async () => {
    stack.program(everyKind());
    const first = await stack.stack.up();
    expect(changed(first)).toEqual({ create: ALL });
    const outputs = await stack.stack.outputs();
    expect(outputs.audience?.value).toBe(only("access_application").aud);
    expect(outputs.tokenHash?.value).toBe(only("api_token").value_sha256);
    expect(changed(await stack.stack.up())).toEqual({ same: ALL });
    expect(changed(await stack.stack.refresh())).toEqual({ same: ALL });
    expect(await missingOutputs(stack)).toEqual([]);
    const state = await stack.state();
    for (const secret of ["hyperdrive-secret", "script-secret", api.apiToken]) expect(state).not.toContain(secret);
  }, 120_000);

  test("finds manual changes in a refresh, and reverts them in the next run", async () => {
    const sdk = api.cloudflare;
    const policy = only("access_policy");
    await sdk.zeroTrust.access.policies.update(policy.id, {
      account_id,
      name: policy.name,
      decision: "allow",
      include: [{ everyone: {} }],
    });
    await sdk.r2.buckets.delete("backups", { account_id });
    await sdk.workers.scripts.secrets.delete("TOKEN", { account_id, script_name: "dispatch" });
    await sdk.workers.scripts.schedules.update("dispatch", { account_id, body: [] });
    await sdk.workers.routes.delete(only("route").id, { zone_id });
    const list = only("list");
    await sdk.zeroTrust.gateway.lists.edit(list.id, { account_id, append: [{ value: "mallory@example.com" }] });
    // The bucket's resources and the route are gone; the script still exists.
    expect(changed(await stack.stack.refresh())).toEqual({ same: ALL - BUCKET - 5, update: 4, delete: BUCKET + 1 });
    expect(changed(await stack.stack.up())).toEqual({ same: ALL - BUCKET - 5, update: 4, create: BUCKET + 1 });
    expect(only("access_policy").include).toEqual(policy.include);
    expect(only("bucket").lifecycle_rules).toHaveLength(1);
    expect(only("script").bindings).toContainEqual({ type: "secret_text", name: "TOKEN", text: "script-secret-1" });
    expect(only("schedules").schedules).toMatchObject([{ cron: "*/1 * * * *" }]);
    expect(only("list").items.map((item) => item.value)).not.toContain("mallory@example.com");
  }, 120_000);

  test("updates in place like Cloudflare's provider", async () => {
    const before = ids();
    stack.program(everyKind({ edition: 2 }));
    expect(changed(await stack.stack.up())).toEqual({ same: ALL - CHANGING, update: CHANGING });
    expect(ids()).toEqual(before);
    expect(only("bucket").storage_class).toBe("InfrequentAccess");
    expect(only("hyperdrive").origin.password).toBe("hyperdrive-secret-2");
    expect(changed(await stack.stack.refresh())).toEqual({ same: ALL });
  }, 120_000);

  test("adopts nothing, and fails to delete what is missing until a refresh", async () => {
    const withNamespace = (title: string) => async () => {
      new cloudflare.WorkersKvNamespace("another", { accountId: account_id, title });
      return everyKind({ edition: 2 })();
    };
    stack.program(withNamespace(only("kv_namespace").title));
    expect(await failure()).toContain("a namespace with this account ID and title already exists (code 10014)");
    stack.program(withNamespace("another"));
    expect(changed(await stack.stack.up())).toEqual({ same: ALL, create: 1 });
    const another = api.store.list("kv_namespace").find(({ title }) => title === "another");
    await api.cloudflare.kv.namespaces.delete(another?.id ?? "", { account_id });
    stack.program(everyKind({ edition: 2 }));
    expect(await failure()).toMatch(/error: Cloudflare refused: .*\(code 10013\)/);
    await stack.stack.refresh();
    expect(changed(await stack.stack.up())).toEqual({ same: ALL });
  }, 120_000);

  test("imports each resource by the import id of Cloudflare's provider", async () => {
    deployed = await stack.stack.exportStack();
    await stack.stack.importStack({ ...deployed, deployment: { ...deployed.deployment, resources: [] } });
    const resources = everyResource.flatMap(({ record, import: how }) =>
      record === undefined || how === undefined
        ? []
        : [
            {
              type: `cloudflare:index/${how.type}`,
              name: createHash("sha256").update(how.type).digest("hex").slice(0, 8),
              id: how.id(only(record)),
            },
          ],
    );
    const result = await stack.stack.import({ resources, generateCode: false, protect: false });
    expect(changed(result)).toMatchObject({ import: resources.length });
    expect(changed(await stack.stack.refresh())).toEqual({ same: resources.length + 1 });
  }, 120_000);

  test("replaces a renamed bucket, and destroys everything", async () => {
    await stack.stack.importStack(deployed);
    stack.program(everyKind({ edition: 2, bucket: "archive" }));
    expect(changed(await stack.stack.up())).toEqual({ same: ALL - BUCKET, replace: BUCKET });
    expect(only("bucket").id).toBe("archive");
    await stack.stack.destroy();
    for (const { record, stays } of everyResource) {
      if (record !== undefined && stays !== true) expect(api.store.list(record)).toEqual([]);
    }
  }, 120_000);

  test("reports each error in one sentence", async () => {
    stack.program(async () => {
      new cloudflare.Ruleset("rules", { accountId: account_id, kind: "custom", name: "x", phase: "ddos_l4" });
    });
    expect(await failure()).toContain(
      "The provider 'cloudflare' that runs here does not serve 'cloudflare:index/ruleset:Ruleset'.",
    );
    stack.program(async () => {
      const wrong = new cloudflare.Provider("wrong", { apiToken: "nonsense", baseUrl: api.url });
      const options = { provider: wrong };
      new cloudflare.WorkersKvNamespace("index", { accountId: account_id, title: "index" }, options);
    });
    expect(await failure()).toMatch(/error: Cloudflare refused: .*\(code \d+\)/);
    stack.program(async () => {
      new cloudflare.ZeroTrustAccessApplication("acme", { accountId: account_id, type: "saas", saasApp: {} });
    });
    expect(await failure()).toContain("the local edge does not support saasApp");
  }, 120_000);
});
