/** Durable Object classes of an account's script, through the engine. */

import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import { changed, type TestStack } from "@tenantry/plugin-host/testing/test-stack";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ObjectClasses } from "#components/resources/object-classes.ts";
import { apiStack } from "../testing/api-stack.ts";

const SCRIPT = "dashboard";
let api: ApiServer;
let stack: TestStack;

beforeAll(async () => {
  api = await startApiServer();
  stack = await apiStack(api);
  stack.program(async () => {
    new ObjectClasses("classes", { accountId: account_id, scriptName: SCRIPT, tag: "v1", sqliteClasses: ["Live"] });
    return {};
  });
}, 120_000);
afterAll(async () => {
  await stack?.dispose();
  await api?.close();
});

const script = () => api.store.get("script", SCRIPT);

/** Uploads a script as the vendor's resource does. */
async function upload(metadata: Record<string, unknown>) {
  const form = new FormData();
  const all = { main_module: "index.js", compatibility_date: "2026-01-01", ...metadata };
  form.append("metadata", JSON.stringify(all));
  const code = "export class Live {}\nexport default {};";
  form.append("index.js", new File([code], "index.js", { type: "application/javascript+module" }));
  await api.cloudflare.put(`/accounts/${account_id}/workers/scripts/${SCRIPT}`, {
    body: form,
    headers: { "Content-Type": null },
  });
}
const bindings = [{ type: "durable_object_namespace", name: "LIVE", class_name: "Live" }];

// The lifecycle of one stack: each test continues from the previous one.
test("creates classes once, and the script can be uploaded repeatedly afterwards", async () => {
  expect(changed(await stack.stack.up())).toEqual({ create: 2 });
  expect(script()).toMatchObject({ migration_tag: "v1", durable_objects: [{ class_name: "Live", sqlite: true }] });
  await upload({ bindings });
  await upload({ bindings });
  expect(changed(await stack.stack.up({ refresh: true }))).toEqual({ same: 2 });
  expect(script()?.main_module).toBe("index.js");
});

test("adds classes to an existing script without any", async () => {
  await api.cloudflare.workers.scripts.delete(SCRIPT, { account_id, force: true });
  await upload({});
  expect(changed(await stack.stack.up({ refresh: true }))).toEqual({ create: 1, same: 1 });
  expect(script()?.migration_tag).toBe("v1");
  await upload({ bindings });
});

test("preserves classes until their script is deleted", async () => {
  await stack.stack.destroy();
  expect(script()?.migration_tag).toBe("v1");
});
