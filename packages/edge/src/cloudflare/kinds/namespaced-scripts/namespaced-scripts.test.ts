import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, account_id, moduleFile, startApiServer } from "../../api/testing/api-server.ts";
import { refusal } from "../../api/testing/refusal.ts";

const tenants = { account_id, dispatch_namespace: "tenants" };
const path = `/accounts/${account_id}/workers/dispatch/namespaces/tenants/scripts`;

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
  await server.cloudflare.workersForPlatforms.dispatch.namespaces.create({ account_id, name: "tenants" });
});
afterEach(() => server.close());

async function upload(name: string, tags: string[]): Promise<void> {
  const metadata = { main_module: "index.js", tags };
  const files = [await moduleFile("export default {};")];
  await server.cloudflare.workersForPlatforms.dispatch.namespaces.scripts.update(name, { ...tenants, metadata, files });
}

test("tags are added, replaced and removed", async () => {
  const { tags } = server.cloudflare.workersForPlatforms.dispatch.namespaces.scripts;
  await upload("tenant", ["plan:pro"]);
  await server.cloudflare.put(`${path}/tenant/tags/env:dev`);
  await server.cloudflare.put(`${path}/tenant/tags/env:dev`);
  expect((await tags.list("tenant", tenants)).result).toEqual(["plan:pro", "env:dev"]);
  await tags.delete("plan:pro", { ...tenants, script_name: "tenant" });
  expect((await tags.list("tenant", tenants)).result).toEqual(["env:dev"]);
  const gone = tags.delete("plan:pro", { ...tenants, script_name: "tenant" });
  expect(await refusal(gone)).toMatchObject({ status: 404 });
  const many = tags.update("tenant", { ...tenants, body: Array.from({ length: 9 }, (_, n) => `tag:${n}`) });
  expect(await refusal(many)).toMatchObject({ status: 400 });
});

test("settings replace all bindings without an upload", async () => {
  const { scripts } = server.cloudflare.workersForPlatforms.dispatch.namespaces;
  await upload("tenant", ["plan:pro"]);
  const record = () => server.store.get("script", "tenants/tenant");
  const before = record();
  const secret = { type: "secret_text" as const, name: "TOKEN", text: "hidden" };
  for (const text of ["600", "7200"]) {
    const bindings = [{ type: "plain_text" as const, name: "SLEEP_AFTER_SECONDS", text }, secret];
    const answer = await scripts.settings.edit("tenant", { ...tenants, settings: { bindings } });
    expect(answer.bindings).toEqual([bindings[0], { type: "secret_text", name: "TOKEN" }]);
    expect(record()).toMatchObject({ bindings, etag: before?.etag, modules: before?.modules, tags: ["plan:pro"] });
  }
  await scripts.settings.edit("tenant", { ...tenants, settings: { bindings: [secret] } });
  expect(record()?.bindings).toEqual([secret]);
  expect(record()?.version_id).not.toBe(before?.version_id);
});

test("scripts are filtered by tags", async () => {
  await upload("acme", ["plan:pro", "env:production"]);
  await upload("globex", ["plan:free", "env:production"]);
  const named = async (tags: string) => {
    const answer = await server.cloudflare.get<{ result: { script: { id: string } }[] }>(path, { query: { tags } });
    return answer.result.map((one) => one.script.id);
  };
  expect(await named("env:production:yes")).toEqual(["acme", "globex"]);
  expect(await named("env:production:yes,plan:pro:no")).toEqual(["globex"]);
});

test("a dispatch namespace with scripts is not deleted", async () => {
  const { namespaces } = server.cloudflare.workersForPlatforms.dispatch;
  await upload("acme", []);
  expect(await namespaces.get("tenants", { account_id })).toMatchObject({ script_count: 1 });
  expect(await refusal(namespaces.delete("tenants", { account_id }))).toMatchObject({ status: 409 });
  await namespaces.scripts.delete("acme", { ...tenants, force: true });
  await namespaces.delete("tenants", { account_id });
});

test("a script's name can be longer in a namespace than in the account", async () => {
  const name = `tenant-${"a".repeat(60)}-dev`;
  await upload(name, []);
  const metadata = { main_module: "index.js" };
  const files = [await moduleFile("export default {};")];
  const tooLong = server.cloudflare.workers.scripts.update(name, { account_id, metadata, files });
  expect(await refusal(tooLong)).toMatchObject({ status: 400, codes: [10016] });
});

test("a script of the account and one of a namespace can have the same name", async () => {
  await upload("same", ["in:namespace"]);
  const metadata = { main_module: "index.js" };
  const files = [await moduleFile("export default {};")];
  await server.cloudflare.workers.scripts.update("same", { account_id, metadata, files });
  await server.cloudflare.workers.scripts.delete("same", { account_id });
  const { tags } = server.cloudflare.workersForPlatforms.dispatch.namespaces.scripts;
  expect((await tags.list("same", tenants)).result).toEqual(["in:namespace"]);
});
