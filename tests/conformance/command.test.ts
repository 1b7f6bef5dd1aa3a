/** The command against an edge that it takes for an account. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listen } from "@tenantry/std/listening";
import Cloudflare from "cloudflare";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { cases } from "#conformance/cases.ts";
import { costOf } from "#conformance/command/plan.ts";
import { Journal } from "#conformance/run/journal.ts";
import { type OpenTarget, openOwnEdge } from "#conformance/run/target.ts";
import { outcomesOf, runCommand, startCommand } from "./testing/command.ts";

const UPLOAD = "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name";

const casesOf = (name: string) => cases.filter(({ product }) => product.name === name);
/** US dollars, at most. */
const COST = costOf(casesOf("r2"));

let edge: OpenTarget;
let api: Cloudflare;
let directory: string;
beforeAll(async () => {
  edge = await openOwnEdge();
  api = new Cloudflare({ apiToken: edge.target.apiToken, baseURL: edge.target.apiUrl, maxRetries: 0 });
});
afterAll(() => edge?.close());
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conformance-command-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const variables = (changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  CLOUDFLARE_BASE_URL: edge.target.apiUrl,
  CLOUDFLARE_AI_GATEWAY_URL: edge.target.aiGatewayUrl,
  CLOUDFLARE_API_TOKEN: edge.target.apiToken,
  CLOUDFLARE_ACCOUNT_ID: edge.target.accountId,
  CLOUDFLARE_ZONE_ID: edge.target.zone?.id,
  ...changes,
});
const journals = () => join(directory, "journals");
const records = () => join(directory, "records");
const onAccount = (...args: string[]) => [
  ...["--target", "account", "--prefix", "demo", "--budget", "5", "--yes"],
  ...["--journals", journals(), "--records", records(), ...args],
];

async function accountToken(group: string): Promise<string> {
  const { accountId: account_id } = edge.target;
  const groups = await api.accounts.tokens.permissionGroups.list({ account_id, name: group });
  const resources = { [`com.cloudflare.api.account.${account_id}`]: "*" };
  const permission_groups = [{ id: groups.result[0]?.id ?? "" }];
  const policies = [{ effect: "allow" as const, permission_groups, resources }];
  return (await api.accounts.tokens.create({ account_id, name: group, policies })).value ?? "";
}

const namespaces = async () => {
  const { result } = await api.workersForPlatforms.dispatch.namespaces.list({ account_id: edge.target.accountId });
  return result.map((one) => one.namespace_name);
};

test("runs cases against an edge of its own", async () => {
  const run = await runCommand(["--target", "edge", "--only", "kv", "--journals", journals()]);
  const count = casesOf("kv").length;
  expect(run, run.progress).toMatchObject({ code: 0 });
  expect(run.output).toMatch(new RegExp(`\n${count} cases: ${count} passed\n$`));
  expect(run.progress).toMatch(/^\[1\/\d\] passed +kv\.namespace-create {2}\d+ ms$/m);
  expect(readdirSync(journals())).toEqual([]);
});

test("runs cases against a running edge", async () => {
  const { target } = edge;
  const url = new URL(target.apiUrl).origin;
  const described = {
    ...{ api: target.apiUrl, apiToken: target.apiToken, aiGatewayUrl: target.aiGatewayUrl, port: target.port },
    ...{ accountId: target.accountId, zoneId: target.zone?.id, domain: target.zone?.name },
    // What deployments read in addition.
    ...{ restUrl: url, databaseUrl: url, access: url, automation: url, passphrase: "", tenants: [], users: [] },
    ...{
      serviceRoleKeys: { production: "", staging: "", development: "" },
      dispatch: { production: url, staging: url, development: url },
    },
    mail: { smtp: url, api: url },
  };
  writeFileSync(join(directory, "edge.json"), JSON.stringify(described));
  const args = ["--target", "edge", "--state", directory, "--prefix", "demo", "--journals", journals()];
  const run = await runCommand([...args, "--only", "kv"]);
  expect(run, run.progress).toMatchObject({ code: 0 });
  expect(await runCommand(["--target", "edge", "--state", join(directory, "none")])).toMatchObject({
    code: 2,
    output: "",
  });
});

test("lists what it creates and costs, and writes a record without the account's names", async () => {
  const run = await runCommand(onAccount("--only", "r2", "--only", "dns", "--only", "containers"), variables());
  expect(run, run.progress).toMatchObject({ code: 0 });
  const cost = `$${COST.toFixed(2)}`;
  expect(run.progress).toContain(`  r2: ${casesOf("r2").length} cases, up to ${cost}\n    creates buckets`);
  expect(run.progress).toContain(`The run may cost ${cost}.`);
  expect(run.output).toContain("It needs CONFORMANCE_IMAGE. Set it.");
  const [file = ""] = readdirSync(records());
  expect(file).toMatch(/^\d{4}-\d\d-\d\d\.json$/);
  const text = readFileSync(join(records(), file), "utf8");
  expect(JSON.parse(text).cases["r2.bucket-create"]).toMatchObject({ status: "passed" });
  const { accountId, apiToken, zone } = edge.target;
  for (const secret of [accountId, apiToken, zone?.id, zone?.name]) expect(text).not.toContain(secret);
});

test("reports which permission is missing, and continues with the other cases", async () => {
  const token = await accountToken("AI Gateway Read");
  const args = onAccount("--json", "--only", "ai-gateway", "--only", "r2.bucket-create");
  const run = await runCommand(args, variables({ CLOUDFLARE_API_TOKEN: token }));
  expect(run.code).toBe(1);
  const outcomes = outcomesOf(run);
  expect(outcomes.get("ai-gateway.gateway-page-size")).toMatchObject({ status: "passed" });
  const denied = (permission: string) => ({
    status: "not_permitted",
    message: `The token lacks a permission. Grant it ${permission}.`,
  });
  expect(outcomes.get("ai-gateway.gateway-create")).toMatchObject(denied("AI Gateway (Edit)"));
  expect(outcomes.get("r2.bucket-create")).toMatchObject(denied("Workers R2 Storage (Edit)"));
  expect(run.progress).toContain("The token cannot read the zone");
  expect(run.progress).not.toContain("Some resources are left");
});

test("states that no case was permitted", async () => {
  const token = await accountToken("AI Gateway Run");
  const run = await runCommand(onAccount("--only", "kv"), variables({ CLOUDFLARE_API_TOKEN: token }));
  expect(run).toMatchObject({ code: 1, progress: expect.stringContaining("No case was permitted.") });
});

const REFUSALS = [
  ["r2.bucket-create", 403, 10042, "Please enable R2 through the Cloudflare Dashboard.", "Enable R2 in the account."],
  [
    "containers.application-without-class",
    401,
    1000,
    JSON.stringify({ error: "Unauthorized: You do not have access to Cloudflare Containers." }),
    "Enable Containers and Workers for Platforms in the account.",
  ],
] as const;

test.each(REFUSALS)(
  "reports a product that the account does not have: %s",
  async (id, status, code, message, remedy) => {
    const server = createServer((request, response) => {
      response.setHeader("content-type", "application/json");
      const isVerify = request.url?.endsWith("/tokens/verify");
      if (!isVerify) response.statusCode = status;
      const errors = isVerify ? [] : [{ code, message }];
      const result = isVerify ? { status: "active" } : null;
      response.end(JSON.stringify({ success: isVerify, errors, messages: [], result }));
    });
    const port = await listen(server, { port: 0 });
    try {
      const CLOUDFLARE_BASE_URL = `http://127.0.0.1:${port}/client/v4`;
      const given = variables({ CLOUDFLARE_BASE_URL, CONFORMANCE_IMAGE: "registry.example.com/gateway:1" });
      const outcomes = outcomesOf(await runCommand(onAccount("--json", "--only", id), given));
      expect(outcomes.get(id)).toMatchObject({ status: "not_enabled", message: expect.stringContaining(remedy) });
    } finally {
      server.close();
    }
  },
);

const OTHER = "f".repeat(32);

test.each([
  ["without a token", { CLOUDFLARE_API_TOKEN: "" }, [], "CLOUDFLARE_API_TOKEN is not set."],
  ["with an invalid token", { CLOUDFLARE_API_TOKEN: "wrong" }, [], "CLOUDFLARE_API_TOKEN is invalid or expired."],
  ["without an account", { CLOUDFLARE_ACCOUNT_ID: "" }, [], "CLOUDFLARE_ACCOUNT_ID is not set."],
  ["with a malformed account", { CLOUDFLARE_ACCOUNT_ID: "mine" }, [], "must have 32 hexadecimal digits"],
  ["with another account", { CLOUDFLARE_ACCOUNT_ID: OTHER }, [], "is not for the account CLOUDFLARE_ACCOUNT_ID"],
  ["with a missing zone", { CLOUDFLARE_ZONE_ID: OTHER }, [], "The zone CLOUDFLARE_ZONE_ID does not exist."],
  ["with a small budget", {}, ["--budget", "0.05"], `The cases may cost $${COST.toFixed(2)}, and --budget is $0.05.`],
  ["with an invalid prefix", {}, ["--prefix", "A"], "--prefix must start with a letter"],
  ["with an unknown case", {}, ["--only", "r2.nothing"], "there is no case or product r2.nothing"],
  ["with an unknown option", {}, ["--all"], "Unknown option '--all'"],
])("creates nothing %s", async (_condition, changes, args, message) => {
  const run = await runCommand(onAccount("--only", "r2", ...args), variables(changes));
  expect(run).toMatchObject({ code: 2, output: "", progress: expect.stringContaining(message) });
  expect((await api.r2.buckets.list({ account_id: edge.target.accountId })).buckets).toEqual([]);
});

test("creates nothing without a confirmation", async () => {
  const args = onAccount("--only", "r2").filter((one) => one !== "--yes");
  const run = await runCommand(args, variables());
  expect(run).toMatchObject({ code: 2, output: "" });
  expect(run.progress).toContain("Nothing was created. Confirm with --yes.");
});

/** Runs a case that creates 31 scripts, and ends its process after twenty. */
async function endedMidway(signal: NodeJS.Signals) {
  let uploads = 0;
  const run = startCommand(onAccount("--only", "workers-for-platforms.script-list-whole"), variables());
  const onCall = (operation: unknown) => {
    if (operation === UPLOAD) uploads += 1;
    if (uploads === 20) run.child.kill(signal);
  };
  subscribe("tenantry:edge:api-call", onCall);
  try {
    return await run.ended;
  } finally {
    unsubscribe("tenantry:edge:api-call", onCall);
  }
}

const JOURNAL = "demo.jsonl";

test("deletes by the journal what a killed run left", async () => {
  await endedMidway("SIGKILL");
  expect(await namespaces()).toHaveLength(1);
  const path = join(journals(), JOURNAL);
  const cleaned = await runCommand(["--target", "account", "--clean-up", path], variables());
  expect(cleaned, cleaned.progress).toMatchObject({ code: 0, output: "" });
  expect(await namespaces()).toEqual([]);
  expect(readdirSync(journals())).toEqual([]);
});

test("deletes at the next start what a killed run left", async () => {
  await endedMidway("SIGKILL");
  expect(await namespaces()).toHaveLength(1);
  const next = await runCommand(onAccount("--only", "kv"), variables());
  expect(next, next.progress).toMatchObject({ code: 0 });
  expect(next.progress).toContain("Deleted what a former run left");
  expect(await namespaces()).toEqual([]);
});

test("deletes what it created when it is cancelled", async () => {
  const run = await endedMidway("SIGTERM");
  expect(run, run.progress).toMatchObject({ code: 130 });
  expect(run.progress).toContain("The run was cancelled. What it created is deleted.");
  expect(await namespaces()).toEqual([]);
  expect(readdirSync(journals())).toEqual([]);
});

test("keeps a journal of another account", async () => {
  const path = join(directory, JOURNAL);
  writeFileSync(path, `${JSON.stringify({ prefix: "demo", account: "0".repeat(16), pid: process.pid })}\n`);
  const run = await runCommand(["--target", "account", "--clean-up", path], variables());
  expect(run).toMatchObject({ code: 2, progress: expect.stringContaining("is of another account") });
  expect(readdirSync(directory)).toContain(JOURNAL);
});

test("keeps a journal of a run in progress", async () => {
  const journal = Journal.create(journals(), "other", edge.target.accountId);
  journal.add("bucket", "other-bucket");
  const run = await runCommand(onAccount("--only", "kv.namespace-create"), variables());
  expect(run, run.progress).toMatchObject({ code: 0 });
  expect(journal.leftovers()).toHaveLength(1);
  const same = await runCommand(onAccount("--only", "kv", "--prefix", "other"), variables());
  expect(same).toMatchObject({ code: 2, progress: expect.stringContaining("Another run uses the prefix other") });
});
