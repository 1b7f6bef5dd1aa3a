/** What OpenClaw's sleep would cut off, as OpenClaw's own RPC methods tell it: docs/gateway/external-apps.md, "Cooperative host suspension". */

/** Names the platform's questions to OpenClaw, which takes one suspension at a time. */
const REQUEST_ID = "tenantry-sleep";
const MOST_JOBS = 200;
/** Ways for messages to come that need no connection held: they come as requests, which wake the sandbox. */
const BY_REQUEST = new Set(["webhook", "http"]);
/**
 * Jobs that OpenClaw keeps for itself. They run while it is awake, and wake nobody: the heartbeat alone comes every 30 minutes, with a
 * call of a model, so that no tenant would ever sleep.
 */
const OWN_JOBS = /^(?:heartbeat|memory-core|skill-collection-review):/;

/**
 * @param call calls an RPC method by its name, with its parameters
 * @returns `{ busy, reason, nextJobAt, channels }`, see `gatewayWork` in workers/contracts/tenant/sandbox.ts
 * @throws what `call` throws
 */
export async function workOf(call) {
  const [nextJobAt, channels] = await Promise.all([nextJob(call), connected(call)]);
  return { ...(await underWay(call)), ...(nextJobAt && { nextJobAt }), channels };
}

/** Whether a suspension would have to wait: it is prepared and, when nothing stood in its way, given up at once. */
async function underWay(call) {
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
  const [status, list] = await Promise.all([call("cron.status"), call("cron.list", { limit: MOST_JOBS })]);
  if (status.enabled === false) return undefined;
  const times = list.jobs.flatMap((job) => {
    const at = job.enabled === false || isOwn(job) ? undefined : job.state?.nextRunAtMs;
    return typeof at === "number" ? [at] : [];
  });
  return times.length === 0 ? undefined : new Date(Math.min(...times)).toISOString();
}

/** Accounts of channels that hold a connection; some kinds do not tell whether it stands, but that they run. */
async function connected(call) {
  const { channelAccounts = {} } = await call("channels.status");
  const accounts = Object.values(channelAccounts).flat();
  const holds = ({ enabled, running, connected: stands, mode }) =>
    enabled !== false && running === true && stands !== false && !BY_REQUEST.has(mode);
  return accounts.filter(holds).length;
}
