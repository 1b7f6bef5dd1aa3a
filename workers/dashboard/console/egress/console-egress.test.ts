/** Network access in the console: secrets of hosts, and the page in a browser, with the dispatch Worker's orders answered by a server. */
import { findFaultsInAllViews } from "@tenantry/test-kit/accessibility";
import { openBrowser } from "@tenantry/test-kit/browser";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { consoleEgressRoutes } from "#workers/contracts/api/console/egress.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { sealTicket } from "#workers/shared/access/console-ticket.ts";
import { openEgressSecret } from "#workers/shared/doors/egress-secret.ts";
import { AnsweringServer } from "../../testing/answering-server.ts";
import { consoleLogin } from "../../testing/console-login.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";
import { DOORS_KEY } from "../../testing/start-dashboard.ts";

const VALUE = "ghp_Zq81LmX0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123";
const TS = "2026-11-03T07:20:00.000Z";

const dispatch = new AnsweringServer();
const { answers } = dispatch;
let api: ApiUnderTest;
let tenants = 0;
let slug: string;
let client: string;
let instance: string;
beforeAll(async () => {
  api = await startApi({ DISPATCH_URL: await dispatch.start(), INVALIDATE_TOKEN: "token" });
});
afterAll(async () => {
  await api?.stop();
  await dispatch.stop();
});
beforeEach(async () => {
  dispatch.reset();
  tenants += 1;
  slug = `acme-${tenants}`;
  ({ client, instance } = await tenant(slug));
});

async function tenant(name: string) {
  const { db } = api.database;
  const id = await insertClient(db, { slug: name, name, partner_id: api.partners.north, managed_by: "dashboard" });
  const of = await insertInstance(db, id, { managed_by: "dashboard" });
  for (const [who, role] of [
    ["ada", "ADMIN"],
    ["bob", "BASE_USER"],
  ] as const)
    await insertClientUser(db, { client_id: id, email: `${who}@${name}.test`, role, status: "validated" }, [of]);
  return { client: id, instance: of };
}

const query = async (text: string, ...values: unknown[]) => (await api.database.pool.query(text, values)).rows;

/** Sends a request of a user of the tenant. */
async function atConsole(method: string, path: string, { who = "ada", body }: { who?: string; body?: unknown } = {}) {
  const response = await api.fetch(`/console/${slug}/${path}`, {
    method,
    headers: {
      ...(await consoleLogin(slug, `${who}@${slug}.test`)),
      ...{ "content-type": "application/json", "cf-connecting-ip": `192.0.2.${tenants}` },
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}
const reasonOf = ({ status, text }: { status: number; text: string }) => [
  status,
  errorBody.parse(JSON.parse(text)).error.reason,
];

test("an ADMIN stores secrets for hosts in the console, and no text has their value", async () => {
  const body = { name: "GitHub", host: "API.github.com", prefix: "Bearer ", value: VALUE };
  const create = async (more: object = {}) => atConsole("POST", "egress/secrets", { body: { ...body, ...more } });
  const created = consoleEgressRoutes.createConsoleEgressSecret.answer.parse(JSON.parse((await create()).text));
  expect(created).toMatchObject({
    ...{ name: "GitHub", host: "api.github.com", header: "authorization", created_by: `ada@${slug}.test` },
  });
  const [row] = await query("select credentials from tenantry.egress_secrets where id = $1", created.id);
  const opened = await openEgressSecret({ used: DOORS_KEY }, created.id, row.credentials);
  expect(opened).toEqual({ ...body, host: "api.github.com", header: "authorization" });
  const replaced = JSON.parse((await create({ value: "other" })).text);
  expect(replaced.id).not.toBe(created.id);
  expect(reasonOf(await create({ name: "Another" }))).toEqual([409, "egress_secret_exists"]);
  expect(reasonOf(await create({ name: "Inside", host: "dash.example.test" }))).toEqual([
    ...[400, "egress_entry_always_refused"],
  ]);
  await query("update tenantry.egress_secrets set created_by = 'root@north.test' where id = $1", replaced.id);
  const list = async () => JSON.parse((await atConsole("GET", "egress/secrets")).text).data;
  expect(await list()).toEqual([{ ...replaced, created_by: "operator" }]);
  expect(JSON.parse((await atConsole("GET", "egress")).text)).toMatchObject({ state: "pushing" });
  const others = await tenant(`${slug}-other`);
  await query("update tenantry.egress_secrets set instance_id = $1 where id = $2", others.instance, replaced.id);
  expect(reasonOf(await atConsole("DELETE", `egress/secrets/${replaced.id}`))).toEqual([
    404,
    "egress_secret_not_found",
  ]);
  await query("update tenantry.egress_secrets set instance_id = $1 where id = $2", instance, replaced.id);
  expect((await atConsole("DELETE", `egress/secrets/${replaced.id}`)).status).toBe(204);
  expect(await list()).toEqual([]);
  await query(
    `insert into tenantry.egress_secrets (instance_id, name, host, header, credentials, created_by)
     select $1, n, n || '.example.com', 'x', $2, 'x' from generate_series(1, 50) g, lateral (select 'h' || g as n) names`,
    ...[instance, Buffer.alloc(64)],
  );
  expect(reasonOf(await create())).toEqual([409, "egress_secrets_too_many"]);
  for (const [method, path, sentBody] of [
    ["GET", "egress/secrets", undefined],
    ["POST", "egress/secrets", body],
    ["DELETE", `egress/secrets/${replaced.id}`, undefined],
  ] as const)
    expect(reasonOf(await atConsole(method, path, { who: "bob", body: sentBody }))).toEqual([
      ...[403, "console_admin_required"],
    ]);
  const done = await query(
    "select action from tenantry.audit_log where entity = 'egress_secrets' and client_id = $1 and actor like 'ada@%' order by id",
    client,
  );
  expect(done.map(({ action }) => action)).toEqual(["insert", "delete", "insert", "delete"]);
  const events = "select kind from tenantry.events where data ->> 'instance_id' = $1 and kind like 'egress_secret%'";
  expect((await query(events, instance)).map(({ kind }) => kind)).toEqual([
    ...["egress_secret.created", "egress_secret.replaced", "egress_secret.deleted"],
  ]);
  const tables = ["egress_secrets", "audit_log", "events", "jobs", "idempotency_keys"];
  const texts = await Promise.all(tables.map((table) => query(`select t::text from tenantry.${table} t`)));
  expect(JSON.stringify([texts, api.logs])).not.toContain(VALUE.slice(4, 40));
});

test("an ADMIN states a policy, also from reached hosts, and stores a secret on the page by keyboard, in every theme", async () => {
  const browser = await openBrowser();
  try {
    const { origin } = api.url;
    const page = await (await browser.newContext()).newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => void faults.push(error.message));
    page.on("dialog", (dialog) => void dialog.accept());
    const pypi = {
      host: "pypi.org",
      port: 443,
      program: "pip",
      requests: 2,
      refused: 0,
      sentBytes: 1,
      receivedBytes: 1,
    };
    const hosts = [{ ...pypi, firstAt: TS, lastAt: TS, reason: null }];
    answers.set(`/_egress/${slug}`, {
      body: { revision: null, mode: "audit", restartRequired: false, gaps: [], hosts },
    });
    const ticket = await sealTicket({ used: DOORS_KEY }, { use: "entry", slug }, `ada@${slug}.test`);
    await page.goto(`${origin}/console/${slug}/enter?ticket=${ticket}`);
    await page.getByRole("link", { name: "Network access" }).press("Enter");
    const entries = page.getByLabel("Allowed hosts, one a line");
    await page.getByLabel("Mode").selectOption({ label: "Listed hosts only" });
    await entries.fill("*.example.com 443,8443 GET");
    await page.getByRole("button", { name: "Preview policy" }).press("Enter");
    await page.getByText("The policy would refuse: pypi.org:443 (2).").waitFor();
    await page.getByRole("button", { name: "Store policy" }).press("Enter");
    await page.getByText("Policy stored.").waitFor();
    expect(await entries.inputValue()).toBe("*.example.com 443,8443 GET");

    await page.getByRole("link", { name: "Create allowlist from these hosts" }).press("Enter");
    await page.getByText("The hosts below are listed.").waitFor();
    expect(await entries.inputValue()).toBe("*.example.com 443,8443 GET\npypi.org");
    expect(await query("select egress from tenantry.instances where id = $1", instance)).toMatchObject([
      { egress: { entries: [{ host: "*.example.com" }] } },
    ]);
    await page.getByRole("button", { name: "Store policy" }).press("Enter");
    await page.getByText("Policy stored.").waitFor();
    expect([await entries.inputValue(), new URL(page.url()).search]).toEqual([
      ...["*.example.com 443,8443 GET\npypi.org", ""],
    ]);

    await page.getByLabel("Name").fill("CRM");
    const host = page.getByLabel("Host, such as api.example.com");
    await host.fill("10.0.0.1");
    await page.getByLabel("Value", { exact: true }).fill(VALUE);
    const store = page.getByRole("button", { name: "Store secret" });
    await store.press("Enter");
    await page.getByRole("alert").getByText("host", { exact: false }).waitFor();
    await host.fill("crm.example.com");
    await store.press("Enter");
    await page.getByText("Secret CRM stored.").waitFor();
    await page.getByText("crm.example.com", { exact: true }).waitFor();
    expect([await page.content(), page.url()].join()).not.toContain(VALUE.slice(4, 40));
    expect(await findFaultsInAllViews(page)).toEqual([]);
    await page.getByRole("button", { name: "Delete secret CRM" }).press("Enter");
    await page.getByText("No secrets of hosts exist.").waitFor();
    // A channel without HTTP cannot be in an allowlist.
    await query(
      `insert into tenantry.channels (environment, instance_id, kind, account_id, account_name, credentials, created_by)
       values ('production', $1, 'irc', 'x', 'x', $2, 'x')`,
      ...[instance, Buffer.alloc(64)],
    );
    await page.getByRole("link", { name: "Create allowlist from these hosts" }).press("Enter");
    await page.getByText("The channel IRC does not use HTTP", { exact: false }).waitFor();
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
});
