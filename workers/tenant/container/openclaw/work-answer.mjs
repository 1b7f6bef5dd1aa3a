/** Reads the work that sleep would interrupt from OpenClaw's RPC methods: docs/gateway/external-apps.md, "Cooperative host suspension". */

/** Identifies the platform's suspension to OpenClaw, which accepts one at a time. */
const REQUEST_ID = "tenantry-sleep";
const MAX_JOBS = 200;
const MAX_CONNECTIONS = 20;
const MAX_ERROR = 200;
/** A connection that was lost no longer ago than this counts as held, in milliseconds: its server may have restarted. */
const SHORT_LOSS_MS = 10 * 60_000;
/** Channel modes without a connection: their messages arrive as requests, which wake the sandbox. Not every channel reports its mode. */
const BY_REQUEST = new Set(["webhook", "http"]);
/** OpenClaw's own jobs, which do not wake the sandbox: with its heartbeat every 30 minutes, no tenant would sleep. */
const OWN_JOBS = /^(?:heartbeat|memory-core|skill-collection-review):/;

/**
 * @param call calls an RPC method with parameters
 * @param options.delivered kinds of channels whose default account gets its messages from the tenant's Worker
 * @param options.leftOut channels of the platform that OpenClaw was started without, with their cause
 * @returns `{ busy, reason, nextJobAt, channels, connections }`, see `gatewayWork` in workers/contracts/tenant/sandbox.ts
 * @throws what `call` throws
 */
export async function workOf(call, { delivered, leftOut }) {
  const [nextJobAt, connections] = await Promise.all([nextJob(call), connectionsOf(call, delivered)]);
  const channels = connections.filter(({ isHeld }) => isHeld).length;
  const reported = [
    ...leftOut.map(leftOutConnection),
    ...connections.map(({ isHeld: _, ...connection }) => connection),
  ].slice(0, MAX_CONNECTIONS);
  return { ...(await busyStatus(call)), ...(nextJobAt && { nextJobAt }), channels, connections: reported };
}

/** Prepares a suspension to find out whether it would have to wait, and cancels it. */
async function busyStatus(call) {
  const { status, suspensionId, blockers = [] } = await call("gateway.suspend.prepare", { requestId: REQUEST_ID });
  if (status === "ready") {
    await call("gateway.suspend.resume", { suspensionId });
    return { busy: false };
  }
  const reason = blockers.map(({ message, kind }) => message ?? kind).join(", ");
  return { busy: true, reason: reason || `OpenClaw is ${status}` };
}

const isOwn = ({ declarationKey = "", payload, description = "" }) =>
  OWN_JOBS.test(declarationKey ?? "") ||
  payload?.kind === "heartbeat" ||
  (description ?? "").startsWith("[managed-by=");

async function nextJob(call) {
  const [status, list] = await Promise.all([call("cron.status"), call("cron.list", { limit: MAX_JOBS })]);
  if (status.enabled === false) return undefined;
  const times = list.jobs.flatMap((job) => {
    const at = job.enabled === false || isOwn(job) ? undefined : job.state?.nextRunAtMs;
    return typeof at === "number" ? [at] : [];
  });
  return times.length === 0 ? undefined : new Date(Math.min(...times)).toISOString();
}

/** Returns channel accounts that hold a connection, retry or have failed. Some kinds of channels report only that they run. */
async function connectionsOf(call, delivered) {
  const { channelAccounts = {} } = await call("channels.status");
  const isDelivered = (messenger, { accountId }) => delivered.includes(messenger) && accountId === "default";
  return Object.entries(channelAccounts).flatMap(([messenger, accounts]) =>
    accounts
      .filter(
        (account) => account.enabled !== false && !BY_REQUEST.has(account.mode) && !isDelivered(messenger, account),
      )
      .flatMap((account) => connectionOf(messenger, account)),
  );
}

const leftOutConnection = ({ messenger, cause, reason }) => ({
  ...{ messenger, account: "default", condition: "failed", cause },
  ...(reason && { error: reason.slice(0, MAX_ERROR) }),
});

/** `isHeld`: sleep would interrupt it. */
function connectionOf(messenger, { accountId, running, connected, restartPending, lastError, lastDisconnect }) {
  const shared = { messenger, account: accountId ?? "default" };
  if (running === true && connected !== false) return [{ ...shared, condition: "online", isHeld: true }];
  const error = typeof lastError === "string" ? { error: lastError.slice(0, MAX_ERROR) } : {};
  // OpenClaw gives up after ten attempts.
  if (restartPending === true) return [{ ...shared, condition: "connecting", ...error, isHeld: true }];
  if (running === true) {
    const isShort = typeof lastDisconnect?.at === "number" && Date.now() - lastDisconnect.at < SHORT_LOSS_MS;
    return [{ ...shared, condition: "connecting", ...error, isHeld: isShort }];
  }
  return lastError ? [{ ...shared, condition: "failed", ...error, isHeld: false }] : [];
}
