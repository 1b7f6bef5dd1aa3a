/**
 * The real OpenClaw behind the platform, as people use it: `npm run try:openclaw`. Without the variable that names its program it is not
 * run, as it is no dependency and takes minutes.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import Cloudflare from "cloudflare";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ACCOUNT_ID } from "../../local/account/account.ts";
import { engineMark } from "../../local/containers/names.ts";
import { findProcesses } from "../../local/containers/processes.ts";
import type { Edge } from "../../local/edge.ts";
import { addDemoUsers } from "../../local/start/demo.ts";
import { healthSnapshot } from "../../workers/contracts/health-snapshot.ts";
import { openBrowser } from "../testing/browser.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { openEdge, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

const PROGRAM = process.env.TENANTRY_OPENCLAW;
const RUN = join(import.meta.dirname, "../../workers/tenant/container/openclaw/run.mjs");
const ACME = "acme.tenantry.localhost";
const ADA = "ada@acme.example";
const BEN = "ben@acme.example";
/** Where pages are pictured, to be looked at. */
const PICTURES = process.env.TENANTRY_PICTURES;
/** How long OpenClaw may take on a machine that does other things, in milliseconds. */
const PATIENCE_MS = 120_000;

let edge: Edge;
let close: () => Promise<void>;
let browser: Browser;
let stack: Stack;
let invalidateToken: string;

interface Entered {
  context: BrowserContext;
  page: Page;
  /** Scopes that OpenClaw granted to the page's connection. */
  scopes: string[];
  /** Resolves when OpenClaw's WebSocket has ended. */
  cut: Promise<void>;
}

/** A browser of its own, logged in at Access, with the control UI connected. */
async function enter(email: string): Promise<Entered> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const greeted = Promise.withResolvers<string[]>();
  const cut = Promise.withResolvers<void>();
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => {
      const { payload: said } = JSON.parse(String(payload)) as {
        payload?: { type?: string; auth?: { scopes: string[] } };
      };
      if (said?.type !== "hello-ok") return;
      greeted.resolve(said.auth?.scopes ?? []);
      socket.on("close", () => cut.resolve());
    });
  });
  await page.goto(`http://${ACME}:${edge.port}/`);
  await page.getByLabel(/e-?mail/i).fill(email);
  await page.getByRole("button").first().click();
  await page.getByPlaceholder(/Message/).waitFor({ timeout: PATIENCE_MS });
  return { context, page, scopes: await greeted.promise, cut: cut.promise };
}

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), timeout: PATIENCE_MS });
}

/** Writes to the agent and waits for the mock's answer. */
async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox").last().fill(text);
  await page.keyboard.press("Enter");
  try {
    await page.getByText("This is a mock of openai").last().waitFor({ timeout: PATIENCE_MS });
  } catch (error) {
    await picture(page, "no-answer");
    throw error;
  }
}

async function invoke(email: string, tool: string, args: object): Promise<{ status: number; body: string }> {
  const headers = { ...(await loggedIn(edge, email, ACME)), "content-type": "application/json" };
  return call(edge, ACME, "/tools/invoke", { method: "POST", headers, body: JSON.stringify({ tool, args }) });
}

const history = async (email: string) =>
  (await invoke(email, "sessions_history", { sessionKey: "agent:main:main" })).body;

const running = () =>
  callUntil(
    () => call(edge, ACME, "/api/health"),
    ({ status, body }) => status === 200 && healthSnapshot.parse(JSON.parse(body)).startup.ok,
  );

const gateways = () =>
  findProcesses(engineMark(join(edge.directory, "containers"))).filter(({ type }) => type === "gateway");

describe.skipIf(PROGRAM === undefined)("OpenClaw", () => {
  beforeAll(async () => {
    ({ edge, close } = await openEdge([process.execPath, RUN, PROGRAM ?? ""]));
    browser = await openBrowser();
    stack = await stackOf(edge, platformSettings([{ slug: "acme", plan: "basic" }]));
    await stack.up();
    invalidateToken = (await stack.outputs()).invalidateToken?.value;
    await addDemoUsers(edge);
    await running();
  });
  afterAll(async () => {
    await browser?.close();
    await close?.();
  });

  test("a person logs in, its page connects, and a turn goes through the tenant's AI gateway and back", async () => {
    const { page, context, scopes } = await enter(ADA);
    expect(scopes).toContain("operator.admin");
    await page.getByText("ada", { exact: true }).waitFor();
    await say(page, "Remember the word tangerine.");
    await picture(page, "administrator");
    const api = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
    const logs = await api.aiGateway.logs.list("pool-a", { account_id: ACCOUNT_ID });
    expect(logs.result[0]).toMatchObject({ provider: "openai", model: "gpt-5-mini", success: true });
    expect(logs.result[0]?.metadata).toContain("acme");
    expect(await history(ADA)).toContain("tangerine");
    await context.close();
  });

  test("a user without administrative rights sees sessions of their own alone, on the page and by HTTP", async () => {
    const { page, context, scopes } = await enter(BEN);
    expect(scopes.toSorted()).toEqual(["operator.questions", "operator.read", "operator.write"]);
    expect((await invoke(BEN, "sessions_history", { sessionKey: "agent:main:main" })).status).toBe(403);
    expect(await history(BEN)).not.toContain("tangerine");
    expect((await invoke(BEN, "gateway", { action: "config.get" })).status).toBeGreaterThanOrEqual(400);
    await page
      .getByLabel(/new (conversation|session)/i)
      .first()
      .click();
    await page.getByPlaceholder(/What should this session work on/).waitFor();
    await say(page, "Remember the word quince.");
    await picture(page, "user");
    expect(await page.locator("body").textContent()).not.toContain("tangerine");
    await context.close();
  });

  test("nobody is a user by calling the gateway's own port", async () => {
    const port = gateways()[0]?.port;
    const said = {
      "x-platform-user": ADA,
      "x-platform-role": "ADMIN",
      "x-forwarded-for": "203.0.113.9",
      "x-openclaw-scopes": "operator.admin",
    };
    const body = JSON.stringify({ tool: "sessions_list", args: {} });
    const headers = { ...said, "content-type": "application/json" };
    const { status } = await fetch(`http://127.0.0.1:${port}/tools/invoke`, { method: "POST", headers, body });
    expect(status).toBe(401);
  });

  test("a gateway that is killed is back, with what it was told", async () => {
    const [before] = gateways();
    if (before === undefined) throw new Error("no gateway runs");
    process.kill(-before.group, "SIGKILL");
    await running();
    expect(gateways()[0]?.pid).not.toBe(before.pid);
    expect(await history(ADA)).toContain("tangerine");
  });

  test("another plan's container has what the one before was told", async () => {
    await stackOf(edge, platformSettings([{ slug: "acme", plan: "pro" }]));
    await stack.up();
    await running();
    expect(await history(ADA)).toContain("tangerine");
  });

  test("a user who is removed is cut off, and does not come back", async () => {
    const { context, cut } = await enter(BEN);
    await sql(edge, `delete from tenantry.client_users where email = '${BEN}'`);
    const authorization = `Bearer ${invalidateToken}`;
    await call(edge, "_dispatch.tenantry.localhost", "/_invalidate/acme", { headers: { authorization } });
    await cut;
    expect((await invoke(BEN, "sessions_list", {})).status).toBe(403);
    await context.close();
  });
});
