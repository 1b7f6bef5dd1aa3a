/** What a running platform does for a tenant, in the order in which it is proven. */
import { setTimeout as pause } from "node:timers/promises";
import { sendRequest } from "@tenantry/std/send-request";
import * as z from "zod";
import { dispatchWorker, tryStatus } from "#automation/outside/dispatch-worker.ts";
import { asSentence } from "#domain/errors/catalogue-error.ts";
import { verifyErrors as errors } from "#domain/errors/commands/fleet-verify.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import type { SandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { failed, type Outcome, passed, skipped } from "../preflight/check.ts";
import { type CloudflareApi, isSuccess } from "../preflight/cloudflare.ts";
import { type RunningPlatform, tenantUrl } from "./platform.ts";

const ANSWER_MS = 150_000;
/** Start of the slowest gateway in the smallest container that holds it. */
const READY_MS = 300_000;
const POLL_MS = 1_000;
/** Entries of an AI gateway's log appear within a minute (developers.cloudflare.com/ai-gateway/observability/logging). */
export const LOG_MS = 60_000;
const SLEEP_POLL_MS = 15_000;
/** Beyond the plan's time: work and channels keep a gateway awake. */
const SLEEP_GRACE_MS = 10 * 60_000;

export interface StepArgs {
  platform: RunningPlatform;
  slug: string;
  /** Access token of a user for the tenant's host; undefined if there is none. */
  token: () => Promise<string | undefined>;
  aiGateway: () => Promise<string | undefined>;
  api: CloudflareApi;
  waitForSleep: boolean;
  /** Most milliseconds until an entry is in the log of an AI gateway. */
  logMs: number;
  signal: AbortSignal;
}

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
  { id: "login", title: "A user opens the tenant", needs: ["wake"], run: admitsUser },
  { id: "turn", title: "The agent answers through the AI gateway", needs: ["login"], run: answersMessage },
  { id: "backup", title: "The state is backed up", needs: ["wake"], run: backsUp },
  { id: "sleep", title: "The tenant sleeps", needs: ["backup"], run: sleeps },
  { id: "wake_by_request", title: "A request wakes the tenant", needs: ["sleep"], run: wakesByRequest },
  { id: "restart", title: "The gateway restarts and answers a request", needs: ["wake"], run: restarts },
];

const dispatchOf = ({ platform: { dispatchUrl, invalidateToken } }: StepArgs) =>
  dispatchWorker({ DISPATCH_URL: dispatchUrl, INVALIDATE_TOKEN: invalidateToken });

/** Sends a request to the tenant's host. */
function visit(
  { platform, slug, signal }: StepArgs,
  path: string,
  { token, body }: { token?: string; body?: object } = {},
) {
  return sendRequest(new URL(path, tenantUrl(slug, platform)), {
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: body === undefined ? "text/html" : "application/json",
      ...(body && { "content-type": "application/json" }),
      // As cloudflared sends it (developers.cloudflare.com/cloudflare-one/identity/authorization-cookie/application-token).
      ...(token !== undefined && { "cf-access-token": token }),
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
  while (performance.now() - began < READY_MS) {
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
  return failed(errors.verify_gateway_not_ready, { seconds: READY_MS / 1000, fault: asSentence(fault) });
}

const seconds = (began: number) => ((performance.now() - began) / 1000).toFixed(1);

/** A user's request if there is a user, else the platform's. */
async function wakesByRequest(args: StepArgs): Promise<Outcome> {
  const token = await args.token();
  if (token !== undefined) await visit(args, "/", { token });
  return wakes(args);
}

async function admitsUser(args: StepArgs): Promise<Outcome> {
  const token = await args.token();
  if (token === undefined) return skipped(errors.verify_login_not_possible);
  const { status } = await visit(args, "/", { token });
  return status === 200
    ? passed()
    : failed(errors.verify_login_refused, { url: `${tenantUrl(args.slug, args.platform)}/`, status });
}

/** HTTP interfaces of gateways, by image: the reference gateway's, and OpenAI's, which OpenClaw can serve. */
const INTERFACES = (text: string) => [
  { path: "/api/ask", body: { text } },
  { path: "/v1/chat/completions", body: { model: "openclaw", messages: [{ role: "user", content: text }] } },
];

async function answersMessage(args: StepArgs): Promise<Outcome> {
  const token = await args.token();
  if (token === undefined) return skipped(errors.verify_login_not_possible);
  const gateway = (await args.aiGateway()) ?? "";
  const before = await newestLog(args, gateway);
  const marker = `Verification ${crypto.randomUUID().slice(0, 8)}: reply with one word.`;
  for (const { path, body } of INTERFACES(marker)) {
    const answer = await visit(args, path, { token, body });
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
  const statusNow = () => tryStatus(dispatchOf(args), args.slug, args.signal);
  const first = await statusNow();
  const { afterSeconds } = first?.sleep ?? {};
  if (!args.waitForSleep || afterSeconds === undefined)
    return skipped(errors.verify_sleep_not_awaited, {
      when: afterSeconds === undefined ? "never" : `after ${Math.round(afterSeconds / 60)} minutes without traffic`,
    });
  const mostMs = afterSeconds * 1000 + SLEEP_GRACE_MS;
  const began = performance.now();
  let last: SandboxStatus | undefined = first;
  while (performance.now() - began < mostMs) {
    if (last?.sandbox === "asleep") return passed(`after ${seconds(began)} s`);
    await pause(SLEEP_POLL_MS, undefined, { signal: args.signal });
    last = await statusNow();
  }
  const fault = last?.sleep?.keptAwake?.details ?? last?.sandbox ?? "its status cannot be read";
  return failed(errors.verify_not_asleep, { minutes: Math.round(mostMs / 60_000), fault });
}

/** A user's request starts it again if there is a user, else the platform's. */
async function restarts(args: StepArgs): Promise<Outcome> {
  await dispatchOf(args).restart(args.slug, args.signal);
  const token = await args.token();
  const began = performance.now();
  const ready = await wakes(args);
  if (ready.state !== "pass" || token === undefined) return ready;
  const { status } = await visit(args, "/", { token });
  return status === 200
    ? passed(`ready in ${seconds(began)} s`)
    : failed(errors.verify_login_refused, { url: `${tenantUrl(args.slug, args.platform)}/`, status });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
