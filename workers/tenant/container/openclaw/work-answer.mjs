/** Reads the work that sleep would interrupt from OpenClaw's RPC methods: docs/gateway/external-apps.md, "Cooperative host suspension". */

/** Identifies the platform's suspension to OpenClaw, which accepts one at a time. */
const REQUEST_ID = "tenantry-sleep";
const MAX_JOBS = 200;
/** Channel modes without a connection: their messages arrive as requests, which wake the sandbox. Not every channel reports its mode. */
const BY_REQUEST = new Set(["webhook", "http"]);
/** OpenClaw's own jobs, which do not wake the sandbox: with its heartbeat every 30 minutes, no tenant would sleep. */
const OWN_JOBS = /^(?:heartbeat|memory-core|skill-collection-review):/;

/**
 * @param call calls an RPC method with parameters
 * @param delivered kinds of channels whose default account gets its messages from the tenant's Worker
 * @returns `{ busy, reason, nextJobAt, channels }`, see `gatewayWork` in workers/contracts/tenant/sandbox.ts
 * @throws what `call` throws
 */
export async function workOf(call, delivered) {
  const [nextJobAt, channels] = await Promise.all([nextJob(call), countConnected(call, delivered)]);
  return { ...(await busyStatus(call)), ...(nextJobAt && { nextJobAt }), channels };
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

/** Counts channel accounts that hold a connection. Some kinds of channels report only that they run. */
async function countConnected(call, delivered) {
  const { channelAccounts = {} } = await call("channels.status");
  const isConnected = ({ enabled, running, connected, mode }) =>
    enabled !== false && running === true && connected !== false && !BY_REQUEST.has(mode);
  const isDelivered = (kind, { accountId }) => delivered.includes(kind) && accountId === "default";
  return Object.entries(channelAccounts).flatMap(([kind, accounts]) =>
    accounts.filter((account) => isConnected(account) && !isDelivered(kind, account)),
  ).length;
}
