import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, account_id, moduleFile, startApiServer } from "../../api/testing/api-server.ts";
import { refusal } from "../../api/testing/refusal.ts";

const hidden = "a-value-nobody-may-read";
const tenants = { account_id, dispatch_namespace: "tenants" };

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
  const { namespaces } = server.cloudflare.workersForPlatforms.dispatch;
  await namespaces.create({ account_id, name: "tenants" });
  const metadata = {
    main_module: "index.js",
    bindings: [
      { type: "secret_text" as const, name: "UPLOADED", text: hidden },
      { type: "plain_text" as const, name: "PLAIN", text: "plain" },
    ],
  };
  const files = [await moduleFile("export default {};")];
  await namespaces.scripts.update("tenant", { ...tenants, metadata, files });
  await server.cloudflare.workers.scripts.update("app", { account_id, metadata, files });
});
afterEach(() => server.close());

test("responses never have a secret's value", async () => {
  const { scripts } = server.cloudflare.workersForPlatforms.dispatch.namespaces;
  const account = server.cloudflare.workers.scripts;
  const secret = { name: "SET", text: hidden, type: "secret_text" as const };
  const bulk = { secrets: { BULK: { ...secret, name: "BULK" } } };
  const answers = [
    await scripts.secrets.update("tenant", { ...tenants, ...secret }),
    await scripts.secrets.bulkUpdate("tenant", { ...tenants, ...bulk }),
    (await scripts.secrets.list("tenant", tenants)).result,
    await scripts.secrets.get("SET", { ...tenants, script_name: "tenant" }),
    (await scripts.bindings.get("tenant", tenants)).result,
    await scripts.settings.get("tenant", tenants),
    await scripts.settings.edit("tenant", { ...tenants, settings: { tags: ["a:1"] } }),
    await scripts.get("tenant", tenants),
    await (await scripts.content.get("tenant", tenants)).text(),
    await account.secrets.update("app", { account_id, ...secret }),
    await account.secrets.bulkUpdate("app", { account_id, ...bulk }),
    (await account.secrets.list("app", { account_id })).result,
    (await account.list({ account_id })).result,
    await account.scriptAndVersionSettings.get("app", { account_id }),
  ];
  expect(JSON.stringify(answers)).not.toContain(hidden);
  expect(JSON.stringify(server.logged)).not.toContain(hidden);
  expect(answers[2]).toEqual(["UPLOADED", "SET", "BULK"].map((name) => ({ name, type: "secret_text" })));
});

test("a bulk change sets, removes and keeps secrets", async () => {
  const { secrets } = server.cloudflare.workersForPlatforms.dispatch.namespaces.scripts;
  const put = (name: string, text: string) => ({ name, text, type: "secret_text" as const });
  await secrets.bulkUpdate("tenant", { ...tenants, secrets: { A: put("A", "1"), B: put("B", "2") } });
  await secrets.bulkUpdate("tenant", { ...tenants, secrets: { A: null, B: put("B", "3") } });
  expect(server.store.get("script", "tenants/tenant")?.bindings).toEqual([
    { type: "secret_text", name: "UPLOADED", text: hidden },
    { type: "plain_text", name: "PLAIN", text: "plain" },
    { type: "secret_text", name: "B", text: "3" },
  ]);
});

test("a secret cannot have the name of another binding", async () => {
  const { secrets } = server.cloudflare.workers.scripts;
  const taken = secrets.update("app", { account_id, name: "PLAIN", text: "x", type: "secret_text" });
  expect(await refusal(taken)).toMatchObject({ status: 400, codes: [10053] });
});

test("a refused secret's value is not in the message", async () => {
  const { secrets } = server.cloudflare.workers.scripts;
  const bad = secrets.update("app", { account_id, name: "no name", text: hidden, type: "secret_text" });
  const { status, message } = await refusal(bad);
  expect(status).toBe(400);
  expect(message).not.toContain(hidden);
});
