/** What a running platform does for a tenant, in the order in which it is proven. */

import { setTimeout as pause } from "node:timers/promises";
import { parsedJson } from "@tenantry/std/parsed-json";
import { sendRequest } from "@tenantry/std/send-request";
import * as z from "zod";
import { dispatchWorker, TenantRefusal, tryStatus } from "#automation/outside/dispatch-worker.ts";
import { asSentence } from "#domain/errors/catalogue-error.ts";
import { verifyErrors as errors } from "#domain/errors/commands/fleet-verify.ts";
import { workerErrors } from "#domain/errors/tenants/worker.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import type { SleepOrder } from "#workers/contracts/tenant/sleep.ts";
import { failed, type Outcome, passed, skipped } from "../preflight/check.ts";
import { type CloudflareApi, isSuccess } from "../preflight/cloudflare.ts";
import { type RunningPlatform, tenantUrl } from "./platform.ts";

const ANSWER_MS = 150_000;
const POLL_MS = 1_000;
const BUSY_POLL_MS = 5_000;
export const WAKE_AFTER_S = 10;

/** How long steps wait, in milliseconds. */
export const MOST_MS = {
  /** Until a gateway is ready: start of the slowest in the smallest container that holds it. */
  readyMs: 300_000,
  /** Until an entry is in the log of an AI gateway (developers.cloudflare.com/ai-gateway/observability/logging). */
  logMs: 60_000,
  /** Until a login is admitted: changes of Access policies are in effect within a minute. */
  admittedMs: 90_000,
  /** While work keeps the tenant awake: a turn, or an image without `/workz`, whose traffic is measured. */
  busyMs: 5 * 60_000,
};

export interface StepArgs extends Readonly<typeof MOST_MS> {
  platform: RunningPlatform;
  slug: string;
  login: Login;
  aiGateway: () => Promise<string | undefined>;
  api: CloudflareApi;
  /** Time of the wake-up by a schedule, in seconds. */
  wakeAfterSeconds: number;
  signal: AbortSignal;
}

/** Headers that log in to the tenant's host, or why there are none. */
export type Login = { headers: Readonly<Record<string, string>> } | { why: string };

export interface Step {
  id: string;
  title: string;
  /** Steps that must have passed. */
  needs: readonly string[];
  run: (args: StepArgs) => Promise<Outcome>;
}

export const STEPS: readonly Step[] = [
  { id: "stranger", title: "A stranger is sent to the login", needs: [], run: refusesStranger },
  { id: "stranger_order", title: "A stranger cannot administer", needs: [], run: refusesOrder },
  { id: "health", title: "Health is public", needs: [], run: showsHealth },
  { id: "wake", title: "The gateway starts", needs: [], run: wakes },
  { id: "login", title: "A login opens the tenant", needs: ["wake"], run: admitsLogin },
  { id: "turn", title: "The agent answers through the AI gateway", needs: ["login"], run: answersMessage },
  { id: "backup", title: "The state is backed up", needs: ["wake"], run: backsUp },
  { id: "sleep", title: "The tenant sleeps", needs: ["backup"], run: sleeps },
  { id: "wake_by_request", title: "A request wakes the tenant", needs: ["sleep"], run: wakesByRequest },
  { id: "wake_by_schedule", title: "A schedule wakes the tenant", needs: ["sleep"], run: wakesBySchedule },
  { id: "restart", title: "The gateway restarts and answers a request", needs: ["wake"], run: restarts },
];

const dispatchOf = ({ platform: { dispatchUrl, invalidateToken } }: StepArgs) =>
  dispatchWorker({ DISPATCH_URL: dispatchUrl, INVALIDATE_TOKEN: invalidateToken });

/** Sends a request to the tenant's host. */
function visit(
  { platform, slug, signal }: StepArgs,
  path: string,
  { login, body }: { login?: Readonly<Record<string, string>>; body?: object } = {},
) {
  return sendRequest(new URL(path, tenantUrl(slug, platform)), {
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: body === undefined ? "text/html" : "application/json",
      ...(body && { "content-type": "application/json" }),
      ...login,
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
  });
}

async function refusesStranger(args: StepArgs): Promise<Outcome> {
  const url = `${tenantUrl(args.slug, args.platform)}/`;
  const { status, headers } = await visit(args, "/");
  const isLogin = status >= 300 && status < 400 && (headers.location ?? "").includes("/cdn-cgi/access/login");
  return isLogin || status === 401 || status === 403
    ? passed(`status ${status}`)
    : failed(errors.verify_stranger_admitted, { url, status });
}

async function refusesOrder({ platform: { dispatchUrl }, slug, signal }: StepArgs): Promise<Outcome> {
  const url = `${dispatchUrl}/_status/${slug}`;
  const { status } = await sendRequest(new URL(url), {
    method: "GET",
    headers: { authorization: "Bearer none" },
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
  });
  return status === 401 || status === 403 || status === 404 || (status >= 300 && status < 400)
    ? passed(`status ${status}`)
    : failed(errors.verify_order_admitted, { url, status });
}

async function showsHealth(args: StepArgs): Promise<Outcome> {
  const path = "/api/health?passive=1";
  const { status, body } = await visit(args, path);
  const found = healthSnapshot.safeParse(parsedJson(body)).data;
  if (status === 200 && found !== undefined) return passed(found.status);
  return failed(errors.verify_health_hidden, { url: tenantUrl(args.slug, args.platform) + path, status });
}

/** The platform's own request starts it, as its automation service does. */
async function wakes(args: StepArgs): Promise<Outcome> {
  const began = performance.now();
  let fault = "no answer";
  while (performance.now() - began < args.readyMs) {
    try {
      const found = healthSnapshot.parse(await dispatchOf(args).start(args.slug, args.signal));
      if (found.liveness.ok && found.readiness.ok) return passed(`ready in ${seconds(began)} s`);
      fault = found.liveness.error ?? found.readiness.error ?? found.status;
    } catch (error) {
      args.signal.throwIfAborted();
      fault = (error as Error).message;
    }
    await pause(POLL_MS, undefined, { signal: args.signal });
  }
  return failed(errors.verify_gateway_not_ready, { seconds: args.readyMs / 1000, fault: asSentence(fault) });
}

const seconds = (began: number) => ((performance.now() - began) / 1000).toFixed(1);

/** A request with a login if there is one, else the platform's. */
async function wakesByRequest(args: StepArgs): Promise<Outcome> {
  const { login } = args;
  if ("headers" in login) await visit(args, "/", { login: login.headers });
  return wakes(args);
}

async function admitsLogin(args: StepArgs): Promise<Outcome> {
  const { login } = args;
  if ("why" in login) return skipped(errors.verify_login_not_possible, login);
  const began = performance.now();
  for (;;) {
    const { status } = await visit(args, "/", { login: login.headers });
    if (status === 200) return passed();
    if (performance.now() - began > args.admittedMs)
      return failed(errors.verify_login_refused, { url: `${tenantUrl(args.slug, args.platform)}/`, status });
    await pause(POLL_MS, undefined, { signal: args.signal });
  }
}

/** HTTP interfaces of gateways, by image: the reference gateway's, and OpenAI's, which OpenClaw can serve. */
const INTERFACES = (text: string) => [
  { path: "/api/ask", body: { text } },
  { path: "/v1/chat/completions", body: { model: "openclaw", messages: [{ role: "user", content: text }] } },
];

async function answersMessage(args: StepArgs): Promise<Outcome> {
  const { login } = args;
  if ("why" in login) return skipped(errors.verify_login_not_possible, login);
  const gateway = (await args.aiGateway()) ?? "";
  const before = await newestLog(args, gateway);
  const marker = `Verification ${crypto.randomUUID().slice(0, 8)}: reply with one word.`;
  for (const { path, body } of INTERFACES(marker)) {
    const answer = await visit(args, path, { login: login.headers, body });
    if (answer.status === 404 || answer.status === 405) continue;
    if (answer.status !== 200)
      return failed(errors.verify_turn_failed, {
        status: answer.status,
        fault: asSentence(answer.body.slice(0, 200)),
        gateway,
      });
    if (before !== undefined && !(await isLogged(args, gateway, before)))
      return failed(errors.verify_turn_not_logged, { gateway });
    return passed(before === undefined ? "answered; its log cannot be read" : `logged by ${gateway}`);
  }
  return skipped(errors.verify_turn_not_possible);
}

const logs = z.array(z.looseObject({ id: z.string(), metadata: z.unknown() }));

/** Returns the id of the tenant's newest entry, empty for none; undefined if the token cannot read the log. */
async function newestLog({ api, platform, slug }: StepArgs, gateway: string): Promise<string | undefined> {
  if (gateway === "") return undefined;
  const query = "per_page=50&order_by=created_at&order_by_direction=desc";
  const answer = await api.get(`/accounts/${platform.accountId}/ai-gateway/gateways/${gateway}/logs?${query}`);
  if (!isSuccess(answer)) return undefined;
  // The second client with a slug is `acme~2` (docs/reference/model-calls.md).
  const own = new RegExp(`\\\\?"tenant\\\\?": ?\\\\?"${slug}(~\\d+)?\\\\?"`);
  const found = logs.parse(answer.envelope?.result).find(({ metadata }) => own.test(JSON.stringify(metadata ?? "")));
  return found?.id ?? "";
}

async function isLogged(args: StepArgs, gateway: string, before: string): Promise<boolean> {
  const began = performance.now();
  while (performance.now() - began < args.logMs) {
    const now = await newestLog(args, gateway);
    if (now !== undefined && now !== before) return true;
    await pause(POLL_MS, undefined, { signal: args.signal });
  }
  return false;
}

async function backsUp(args: StepArgs): Promise<Outcome> {
  const dispatch = dispatchOf(args);
  const id = await dispatch.backUp(args.slug, args.signal);
  if (id === undefined) return failed(errors.verify_backup_not_made);
  const { backups } = await dispatch.backups(args.slug, args.signal);
  return backups.some((backup) => backup.id === id) ? passed(id) : failed(errors.verify_backup_not_made);
}

async function sleeps(args: StepArgs): Promise<Outcome> {
  const began = performance.now();
  const refused = await orderSleep(args, {});
  if (refused !== undefined) return refused;
  const status = await tryStatus(dispatchOf(args), args.slug, args.signal);
  return status?.sandbox === "asleep"
    ? passed(`after ${seconds(began)} s`)
    : failed(errors.verify_not_asleep, { fault: `its status is ${status?.sandbox ?? "unknown"}.` });
}

/** Refusals that no later attempt changes. */
const NEVER: ReadonlySet<string | undefined> = new Set(
  [workerErrors.sleep_not_in_plan, workerErrors.administration_path_not_found].map(({ reason }) => reason),
);

/** Repeats the order while the gateway works. @returns the outcome if the tenant does not sleep */
async function orderSleep(args: StepArgs, order: SleepOrder): Promise<Outcome | undefined> {
  const began = performance.now();
  for (;;) {
    try {
      await dispatchOf(args).sleep(args.slug, order, args.signal);
      return undefined;
    } catch (error) {
      if (!(error instanceof TenantRefusal)) throw error;
      if (NEVER.has(error.reason)) return skipped(errors.verify_sleep_not_possible, { why: error.message });
      if (performance.now() - began > args.busyMs)
        return failed(errors.verify_not_asleep, { fault: asSentence(error.message) });
      await pause(BUSY_POLL_MS, undefined, { signal: args.signal });
    }
  }
}

/** The alarm that wakes a tenant for its gateway's next job, at an ordered time. */
async function wakesBySchedule(args: StepArgs): Promise<Outcome> {
  const ordered = performance.now();
  const refused = await orderSleep(args, { wakeAfterSeconds: args.wakeAfterSeconds });
  if (refused !== undefined) return refused;
  const mostMs = args.wakeAfterSeconds * 1_000 + args.readyMs;
  while (performance.now() - ordered < mostMs) {
    // Passive: it wakes nothing.
    const found = healthSnapshot.safeParse(await dispatchOf(args).health(args.slug, args.signal)).data;
    if (found?.status === "running") return passed(`after ${seconds(ordered)} s`);
    await pause(POLL_MS, undefined, { signal: args.signal });
  }
  return failed(errors.verify_not_woken, { seconds: Math.round(args.readyMs / 1_000) });
}

/** A request with a login is answered afterwards, if there is one. */
async function restarts(args: StepArgs): Promise<Outcome> {
  await dispatchOf(args).restart(args.slug, args.signal);
  const { login } = args;
  const began = performance.now();
  const ready = await wakes(args);
  if (ready.state !== "pass" || "why" in login) return ready;
  const { status } = await visit(args, "/", { login: login.headers });
  return status === 200
    ? passed(`ready in ${seconds(began)} s`)
    : failed(errors.verify_login_refused, { url: `${tenantUrl(args.slug, args.platform)}/`, status });
}
