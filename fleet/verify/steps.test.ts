import { createServer } from "node:http";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { CloudflareApi } from "../preflight/cloudflare.ts";
import { STEPS, type StepArgs } from "./steps.ts";

interface Answered {
  status: number;
  location?: string;
  body?: object;
}

const probe = { ok: true, status: "success", latencyMs: 1 };
const HEALTHY = {
  ...{ ts: "2026-11-26T08:00:00.000Z", startup: probe, readiness: probe, liveness: probe, status: "running" },
  restoreStatus: { hadBackup: false, restored: false },
};
const status = (sandbox: string, sleep = {}) => ({ ts: "2026-11-26T08:00:00.000Z", sandbox, sleep, warnings: [] });
const LOGIN = { status: 302, location: "https://team.cloudflareaccess.com/cdn-cgi/access/login/acme?kid=1" };
const entry = (id: string, slug: string) => ({ id, metadata: JSON.stringify({ tenant: slug, plan: "free" }) });

const refused = (reason: string) => ({ status: 409, body: { error: { code: "conflict", reason, message: "No." } } });

/** What a sound platform answers, by method, host and path; with `token` for a request with a user's token. */
const SOUND: Readonly<Record<string, Answered>> = {
  "GET acme /": LOGIN,
  "GET acme / token": { status: 200 },
  "GET acme /api/health": { status: 200, body: HEALTHY },
  "POST acme /api/ask token": { status: 200, body: { answer: "Yes" } },
  "GET _dispatch /_status/acme": { status: 401 },
  "GET _dispatch /_status/acme order": { status: 200, body: status("asleep", { afterSeconds: 600 }) },
  "POST _dispatch /_sleep/acme order": { status: 200, body: { asleep: true } },
  "GET _dispatch /_health/acme order": { status: 200, body: HEALTHY },
  "POST _dispatch /_start/acme order": { status: 200, body: HEALTHY },
  "POST _dispatch /_restart/acme order": { status: 202, body: { restarting: true } },
  "POST _dispatch /_backup/acme order": { status: 200, body: { id: "b1" } },
  "GET _dispatch /_backups/acme order": {
    status: 200,
    body: {
      state: "known",
      backups: [{ id: "b1", createdAt: "2026-11-26T08:00:00.000Z", bytes: 1 }],
      damaged: [],
    },
  },
};

let answers: Record<string, Answered>;
/** Pages of the AI gateway's log, one for each request. */
let logs: object[][];
const server = createServer((request, response) => {
  const { host = "", authorization, "cf-access-token": token } = request.headers;
  const path = (request.url ?? "").split("?")[0] ?? "";
  if (path.startsWith("/accounts/")) {
    const result = logs.length > 1 ? logs.shift() : logs[0];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: true, errors: [], result }));
    return;
  }
  const as = token === "user-token" ? " token" : authorization === "Bearer order-token" ? " order" : "";
  const {
    status: code,
    location,
    body,
  } = answers[`${request.method} ${host.split(".")[0]} ${path}${as}`] ?? {
    status: 404,
  };
  response.writeHead(code, { ...(location && { location }), "content-type": "application/json" });
  response.end(body === undefined ? "" : JSON.stringify(body));
});
let port: number;
beforeAll(async () => {
  port = await listen(server, { port: 0 });
});
afterAll(() => closeAndCut(server));
beforeEach(() => {
  answers = { ...SOUND };
  logs = [[], [entry("2", "acme"), entry("1", "other")]];
});

function args(more: Partial<StepArgs> = {}): StepArgs {
  const { signal } = new AbortController();
  return {
    platform: {
      environment: "production",
      domain: "agents.localhost",
      accountId: "a".repeat(32),
      dispatchUrl: `http://_dispatch.agents.localhost:${port}`,
      containers: { free: "lite", basic: "lite", pro: "lite", enterprise: "lite" },
      gatewayMemoryMiB: 128,
      stack: "organization/tenantry/prod",
      invalidateToken: "order-token",
      rootUser: undefined,
    },
    slug: "acme",
    login: { headers: { "cf-access-token": "user-token" } },
    aiGateway: async () => "pool-a",
    api: new CloudflareApi(`http://127.0.0.1:${port}`, "api-token", signal),
    wakeAfterSeconds: 1,
    logMs: 1_200,
    readyMs: 1_000,
    admittedMs: 0,
    busyMs: 0,
    signal,
    ...more,
  };
}
const run = (id: string, more?: Partial<StepArgs>) => STEPS.find((step) => step.id === id)?.run(args(more));

test("passes on a sound platform", async () => {
  for (const { id, run: prove } of STEPS) {
    const outcome = await prove(args());
    expect([id, outcome.state, outcome.reason]).toEqual([id, "pass", null]);
  }
  expect(await run("turn")).toMatchObject({ state: "fail", reason: "verify_turn_not_logged" });
});

test.each<[string, Record<string, Answered>, string]>([
  ["stranger", { "GET acme /": { status: 200 } }, "verify_stranger_admitted"],
  ["stranger", { "GET acme /": { status: 302, location: "https://acme.example/start" } }, "verify_stranger_admitted"],
  ["stranger_order", { "GET _dispatch /_status/acme": { status: 200 } }, "verify_order_admitted"],
  ["health", { "GET acme /api/health": LOGIN }, "verify_health_hidden"],
  ["login", { "GET acme / token": { status: 403 } }, "verify_login_refused"],
  ["turn", { "POST acme /api/ask token": { status: 502, body: { error: "no key" } } }, "verify_turn_failed"],
  ["turn", { "POST acme /api/ask token": { status: 404 } }, "verify_turn_not_possible"],
  ["sleep", { "GET _dispatch /_status/acme order": { status: 200, body: status("awake") } }, "verify_not_asleep"],
  ["sleep", { "POST _dispatch /_sleep/acme order": refused("sleep_interrupts_work") }, "verify_not_asleep"],
  ["sleep", { "POST _dispatch /_sleep/acme order": refused("sleep_not_in_plan") }, "verify_sleep_not_possible"],
  [
    "wake_by_schedule",
    { "GET _dispatch /_health/acme order": { status: 200, body: { ...HEALTHY, status: "stopped" } } },
    "verify_not_woken",
  ],
  ["backup", { "POST _dispatch /_backup/acme order": { status: 204 } }, "verify_backup_not_made"],
])("%s: does not pass with %j", async (id, wrong, reason) => {
  Object.assign(answers, wrong);
  expect(await run(id)).toMatchObject({ reason });
});

test("skips what needs a login without one", async () => {
  for (const id of ["login", "turn"])
    expect(await run(id, { login: { why: "no right." } })).toMatchObject({
      state: "skip",
      reason: "verify_login_not_possible",
      found: "Not done, because there is no login: no right.",
    });
});

test("repeats a login until the policy is in effect", async () => {
  answers["GET acme / token"] = LOGIN;
  const outcome = run("login", { admittedMs: 10_000 });
  setTimeout(() => {
    answers = { ...SOUND };
  }, 100);
  expect(await outcome).toMatchObject({ state: "pass" });
});
