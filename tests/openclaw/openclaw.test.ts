/**
 * Tests the real OpenClaw on the platform: `npm run try:openclaw`. Skipped without the variable that names its program, because it is no
 * dependency and takes minutes.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "../testing/http.ts";
import { sql } from "../testing/sql.ts";
import { ADA, BEN, LiveTenant } from "./testing/live-tenant.ts";
import { PATIENCE_MS, picture } from "./testing/page.ts";

const PROGRAM = process.env.TENANTRY_OPENCLAW;

/**
 * Milliseconds before a job at which the tenant wakes. OpenClaw delays a late job by two minutes. The tenant stays awake for these only if
 * they are shorter than its minimum sleep, which is two and a half times this value.
 */
const LEAD_MS = 60_000;

let directory: string;
let tenant: LiveTenant;

describe.skipIf(PROGRAM === undefined)("OpenClaw", () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "openclaw-acceptance-"));
    tenant = await LiveTenant.open(PROGRAM ?? "", directory);
  });
  afterAll(async () => {
    await tenant?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test("a person logs in, its page connects, and a turn goes through the tenant's AI gateway and back", async () => {
    const { page, context, scopes } = await tenant.enter(ADA);
    expect(scopes).toContain("operator.admin");
    await page.getByText("ada", { exact: true }).waitFor();
    await tenant.say(page, "Remember the word tangerine.");
    await picture(page, "administrator");
    const [latest] = await tenant.modelCalls();
    expect(latest).toMatchObject({ provider: "openai", model: "gpt-5-mini", success: true });
    expect(latest?.metadata).toContain("acme");
    await tenant.remembers(ADA, "tangerine");
    await context.close();
  });

  test("shows a user without administrative rights only their own sessions, on the page and by HTTP", async () => {
    const { page, context, scopes } = await tenant.enter(BEN);
    expect(scopes.toSorted()).toEqual(["operator.questions", "operator.read", "operator.write"]);
    expect((await tenant.invoke(BEN, "sessions_history", { sessionKey: "agent:main:main" })).status).toBe(403);
    expect(await tenant.history(BEN)).not.toContain("tangerine");
    expect((await tenant.invoke(BEN, "gateway", { action: "config.get" })).status).toBeGreaterThanOrEqual(400);
    await picture(page, "user-home");
    await page
      .getByLabel(/new (conversation|session)/i)
      .first()
      .click();
    await page.getByPlaceholder(/What should this session work on/).waitFor();
    await tenant.say(page, "Remember the word quince.");
    await picture(page, "user");
    expect(await page.locator("body").textContent()).not.toContain("tangerine");
    await context.close();
  });

  test("admits no user on the gateway's own port", async () => {
    const said = {
      "x-platform-user": ADA,
      "x-platform-role": "ADMIN",
      "x-forwarded-for": "203.0.113.9",
      "x-openclaw-scopes": "operator.admin",
    };
    const body = JSON.stringify({ tool: "sessions_list", args: {} });
    const headers = { ...said, "content-type": "application/json" };
    const { status } = await fetch(`${await tenant.ownUrl()}/tools/invoke`, { method: "POST", headers, body });
    expect(status).toBe(401);
  });

  test("restarts a killed gateway with its data", async () => {
    const [before] = tenant.gateways();
    if (before === undefined) throw new Error("no gateway runs");
    process.kill(-before.group, "SIGKILL");
    await tenant.running();
    expect(tenant.gateways()[0]?.pid).not.toBe(before.pid);
    await tenant.remembers(ADA, "tangerine");
  });

  test("keeps the data in another plan's container", async () => {
    await tenant.deploy("pro");
    await tenant.running();
    await tenant.remembers(ADA, "tangerine");
  });

  test("disconnects a removed user, who cannot reconnect", async () => {
    const { context, cut } = await tenant.enter(BEN);
    await sql(tenant.edge, `delete from tenantry.client_users where email = '${BEN}'`);
    const authorization = `Bearer ${await tenant.output("invalidateToken")}`;
    await call(tenant.edge, "_dispatch.tenantry.localhost", "/_invalidate/acme", { headers: { authorization } });
    await cut;
    expect((await tenant.invoke(BEN, "sessions_list", {})).status).toBe(403);
    await context.close();
  });

  test("wakes a sleeping tenant in time for a job, which runs and has its data", async () => {
    tenant.bind({ SLEEP_AFTER_SECONDS: "5", WAKE_LEAD_SECONDS: String(LEAD_MS / 1_000) });
    await tenant.running();
    const { page, context } = await tenant.enter(ADA);
    // Sleep begins when the job is at least two and a half leads away.
    const due = Date.now() + 2.5 * LEAD_MS + 60_000;
    await tenant.ask(page, "cron.add", {
      name: "watering",
      schedule: { kind: "at", at: new Date(due).toISOString() },
      sessionTarget: "isolated",
      wakeMode: "now",
      payload: { kind: "agentTurn", message: "Say that the plants want water." },
      delivery: { mode: "none" },
    });
    await context.close();
    const callsBefore = (await tenant.modelCalls()).length;
    const gatewaysAre = (count: number, untilMs: number) =>
      expect.poll(() => tenant.gateways().length, { timeout: untilMs - Date.now(), interval: 200 }).toBe(count);

    await gatewaysAre(0, due - LEAD_MS);
    // From here on, no requests.
    await gatewaysAre(1, due);
    await expect
      .poll(async () => (await tenant.modelCalls()).length, {
        timeout: due + 2 * PATIENCE_MS - Date.now(),
        interval: 500,
      })
      .toBeGreaterThan(callsBefore);
    const [latest] = await tenant.modelCalls();
    expect(latest?.success).toBe(true);
    expect(Date.parse(latest?.created_at ?? "")).toBeGreaterThanOrEqual(due);
    await gatewaysAre(0, Date.now() + PATIENCE_MS);

    await tenant.running();
    await tenant.remembers(ADA, "tangerine");
    const log = await tenant.log();
    expect(log).toMatch(/sleep\.begun.+wakesAt/);
    expect(log).toContain("sleep.ended");
  }, 900_000);

  // The last test, because it covers all others: starts, pages, conversations, a job, and idle minutes.
  test("sends no requests to other machines, and neither do its pages", () => {
    const lines = tenant.recorded();
    const runs = (part: string) => lines.filter(({ runs = [] }) => runs.join(" ").includes(part));
    // Proves that the recorder works, including started programs.
    expect(runs("openclaw.mjs gateway run").length).toBeGreaterThan(2);
    expect(runs("spawn-broker").length).toBeGreaterThan(2);
    expect(lines.filter(({ connectsTo }) => connectsTo?.startsWith("11.0.")).length).toBeGreaterThan(2);
    expect(tenant.outside()).toEqual([]);
    // It is the process that the platform started.
    expect(lines.filter(({ starts, parameters = [] }) => starts && parameters.includes("gateway"))).toEqual([]);
    expect(tenant.pageFaults).toEqual([]);
  });
});
