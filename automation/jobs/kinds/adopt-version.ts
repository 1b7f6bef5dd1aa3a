/** Changes the image or Worker of a tenant after a backup. If the new version does not run, the tenant gets the former one, with that backup if needed. */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { type DeployableTenant, setStateCause } from "#database/tenants/deployment.ts";
import { isWithdrawn } from "#database/versions/images.ts";
import { isUnderWay } from "#database/versions/rollouts.ts";
import {
  findKnownVersion,
  isPinnedSince,
  type KnownVersion,
  setUnstarted,
  setWanted,
  storeReport,
} from "#database/versions/versions.ts";
import { requestJob } from "#database/work/job-request.ts";
import {
  addJobEvent,
  addJobEventOnce,
  findJobBackup,
  findOpenJob,
  hasJobEvent,
  type Job,
} from "#database/work/jobs.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { asSentence } from "#domain/errors/catalogue-error.ts";
import { jobErrors, overtakenJobs } from "#domain/errors/service/automation-jobs.ts";
import { isSameVersion, type Version } from "#domain/rollouts/version.ts";
import type { GatewayVersion } from "#workers/contracts/tenant/sandbox.ts";
import type { SandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { tryStart, tryStatus } from "../../outside/dispatch-worker.ts";
import { causeOf, type Run, TaskError } from "../../task.ts";
import type { JobKind, JobServices } from "../kind.ts";
import { JobOvertaken, JobRefused } from "../refusals.ts";
import { orRefuse, stacksOf, stillTenantOf, tenantOf, waitsForEngine } from "./deploying.ts";

const POLL_MS = 1_500;
/** A new version may have to migrate gigabytes of state first. */
const READY_MS = 5 * 60_000;
/** Cloudflare replaces a container minutes after the deployment: it prepares others first, and kills after 15 minutes. */
const REPLACED_MS = 20 * 60_000;
/** Deadline of a way back, in hours. */
const BACK_HOURS = 3;

const version = z.object({ imageId: z.uuid().nullable(), bundleId: z.uuid().nullable() });
const adoption = z.object({
  to: version,
  /** Former version; null for a way back. */
  from: version.nullable(),
  /** Backup of the state of `to`, restored if the present state is too new. */
  backup: z.string().nullable(),
  /** Whether the backup is restored in any case, because the present state is from another backup. */
  always: z.boolean().default(false),
  rollout: z.uuid().optional(),
  /** Whether it was requested for a later time. */
  planned: z.boolean().default(false),
});

interface Work {
  job: Job;
  tenant: DeployableTenant;
  means: JobServices;
  run: Run;
}

/** Backup for a version. */
interface State {
  backup: string;
  /** `needed`: if the present state is too new for the version. `always`: the present state is from another backup. */
  when: "needed" | "always";
}

export const adoptVersion: JobKind = {
  name: "adopt_version",
  late: jobErrors.version_not_running_by_deadline,
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const { to, from, backup, always, planned } = adoption.parse(job.payload);
    const tenant = await tenantOf(job, run);
    if (planned && from !== null) await requireStillWanted(tenant, { id: job.id, to, from }, run);
    if (tenant.status !== "running" && tenant.status !== "frozen") {
      throw new JobOvertaken(overtakenJobs.version_left_to_provisioning, { status: tenant.status });
    }
    const work = { job, tenant, means, run };
    const former = from === null ? null : await backUp(work);
    // The backup may have taken longer than the deadline, after which no service continues the job.
    if ((await findOpenJob(run.db, job.id)) === undefined) throw new JobRefused(jobErrors.version_backup_took_too_long);
    try {
      if (from !== null && (await hasJobEvent(run.db, job.id, GOING_BACK)))
        throw new JobRefused(jobErrors.version_did_not_run);
      const state = backup === null ? undefined : ({ backup, when: always ? "always" : "needed" } as const);
      await changeVersion(work, { to, from: tenant, isBack: from === null, state });
    } catch (error) {
      // Without time left, another job rolls the tenant back.
      if (!(error instanceof JobRefused) || from === null || run.signal.aborted) throw error;
      await goBack(work, from, former, error);
    }
  },
  async failed(job, cause, run) {
    const tenant = await stillTenantOf(job, run);
    if (tenant === undefined) return;
    const isTakenBack = await requestWayBack(job, tenant, run);
    const entry = isTakenBack ? jobErrors.version_change_rolled_back : jobErrors.version_change_failed;
    await setStateCause(run.db, tenant, errorText(entry, { cause }));
  },
};

/** @throws JobOvertaken if the tenant got another version, or an operator's pin, since the request. @throws JobRefused for an image that was withdrawn since */
async function requireStillWanted(
  tenant: DeployableTenant,
  { id, to, from }: { id: string; to: Version; from: Version },
  { db }: Run,
): Promise<void> {
  // An earlier attempt may have changed it.
  if (isSameVersion(tenant, to)) return;
  if (!isSameVersion(tenant, from)) throw new JobOvertaken(overtakenJobs.version_changed_meanwhile);
  if (await isPinnedSince(db, id)) throw new JobOvertaken(overtakenJobs.version_pinned_meanwhile);
  if (to.imageId !== null && (await isWithdrawn(db, to.imageId))) throw new JobRefused(jobErrors.version_withdrawn);
}

/** Requests a job that takes a tenant with the new version back. @returns whether such a job was requested, now or before */
async function requestWayBack(job: Job, tenant: DeployableTenant, { db }: Run): Promise<boolean> {
  const { to, from, rollout } = adoption.parse(job.payload);
  if (from === null || isSameVersion(to, from) || !isSameVersion(tenant, to)) return false;
  if (rollout !== undefined && (await isUnderWay(db, rollout))) return false;
  const backup = (await findJobBackup(db, job.id)) ?? null;
  const always = await hasJobEvent(db, job.id, RESTORED);
  await db.transaction().execute(async (tx) => {
    if (!(await addJobEventOnce(tx, job.id, "way_back", "Another job restores the former version."))) return;
    const { clientId, instanceId, slug, generation } = tenant;
    const payload = { to: from, from: null, backup, ...(always && { always }) };
    const request = { clientId, instanceId, slug, generation: String(generation), payload, requestedBy: "service" };
    await requestJob(tx, { kind: "adopt_version", ...request, hours: BACK_HOURS });
  });
  return true;
}

const GOING_BACK = "going_back";
const RESTORED = "restored";

/** @throws JobRefused with the cause and the running version */
async function goBack(
  work: Work,
  from: Version,
  former: string | null,
  { message: fault }: JobRefused,
): Promise<never> {
  const { job, run } = work;
  const { to } = adoption.parse(job.payload);
  if (!(await hasJobEvent(run.db, job.id, GOING_BACK))) await addJobEvent(run.db, job.id, GOING_BACK, fault);
  const when = (await hasJobEvent(run.db, job.id, RESTORED)) ? "always" : "needed";
  try {
    await changeVersion(work, {
      to: from,
      from: to,
      isBack: true,
      state: former === null ? undefined : { backup: former, when },
    });
  } catch (error) {
    if (error instanceof TaskError) throw error;
    throw new JobRefused(jobErrors.version_not_rolled_back, { fault, cause: asSentence(causeOf(error, run.log)) });
  }
  throw new JobRefused(jobErrors.version_rolled_back, { fault });
}

/** Makes one backup of the former state. @returns its id; null if there is no state */
async function backUp({ job, tenant: { slug }, means: { dispatch }, run }: Work): Promise<string | null> {
  const noted = await findJobBackup(run.db, job.id);
  if (noted !== undefined) return noted;
  const created = await orRefuse(dispatch.backUp(slug, run.signal), jobErrors.version_not_backed_up);
  // The newest backup has the state of a sleeping tenant.
  const backup = created ?? (await dispatch.backups(slug, run.signal)).backups[0]?.id ?? null;
  const message = backup === null ? "There is no state to back up." : `Backup ${backup} has the former state.`;
  await addJobEvent(run.db, job.id, "backed_up", message, backup === null ? {} : { backup });
  return backup;
}

/** Deploys a version and waits until it runs. After a failure, the wanted version is the one that may run. @throws JobRefused */
async function changeVersion(
  work: Work,
  { to, from, isBack, state }: { to: Version; from: Version; isBack: boolean; state: State | undefined },
): Promise<void> {
  const { job, tenant, means, run } = work;
  const wanted = await findKnownVersion(run.db, to);
  if (!isBack) await setWanted(run.db, tenant.instanceId, to);
  await stacksOf(means).up(job, { ...tenant, ...to, image: wanted.image?.reference ?? null }, run);
  if (isBack) await setWanted(run.db, tenant.instanceId, to);
  await means.dispatch.invalidate(tenant.slug, run.signal);
  // A frozen tenant's gateway does not start.
  if (tenant.status !== "running") return setUnstarted(run.db, tenant.instanceId);
  await addJobEvent(run.db, job.id, "starting", "The gateway is starting.");
  await waitUntilRunning(work, { wanted, former: await findKnownVersion(run.db, from) }, state);
}

interface Change {
  wanted: KnownVersion;
  former: KnownVersion;
}

async function waitUntilRunning(work: Work, change: Change, state: State | undefined): Promise<void> {
  const { job, tenant, means, run } = work;
  const { signal } = run;
  const begun = performance.now();
  let replacedAt: number | undefined;
  let why = "it did not respond.";
  let isRestored = false;
  while (performance.now() < (replacedAt === undefined ? begun + REPLACED_MS : replacedAt + READY_MS)) {
    signal.throwIfAborted();
    const health = await tryStart(means.dispatch, tenant.slug, signal);
    const status = await tryStatus(means.dispatch, tenant.slug, signal);
    const isReplaced = status !== undefined && hasNewContainer(change, status);
    if (isReplaced) replacedAt ??= performance.now();
    // The former container's upgrade may have failed, too.
    if (isReplaced && status.upgrade?.state === "failed") throw upgradeRefused(status.upgrade);
    if (isReplaced && state?.when === "always" && !isRestored) {
      await restoreBackup(work, state.backup, `${job.id} ${GOING_BACK}`);
      isRestored = true;
    } else if (isReplaced && status.trouble?.kind === "newer-state") {
      if (state === undefined || isRestored) {
        throw new JobRefused(jobErrors.state_too_new, { fault: status.trouble.reason });
      }
      await restoreBackup(work, state.backup, job.id);
      isRestored = true;
    } else if (health?.startup.ok && health.readiness.ok && status !== undefined) {
      await storeReport(run.db, tenant.instanceId, status);
      const difference = versionDifference(change, status);
      if (difference === undefined) return;
      why = difference;
    } else {
      why = health?.startup.error ?? health?.readiness.error ?? why;
    }
    await pause(POLL_MS, undefined, { signal });
  }
  const minutes = (replacedAt === undefined ? REPLACED_MS : READY_MS) / 60_000;
  throw new JobRefused(jobErrors.gateway_not_running, { minutes, fault: asSentence(why) });
}

/** @param order identifies the restore, so that a retry does not repeat it */
async function restoreBackup({ job, tenant, means, run }: Work, backup: string, order: string): Promise<void> {
  const how = { discardPresent: false, order: uuidOf(order) };
  const { present } = await orRefuse(means.dispatch.restore(tenant.slug, backup, how, run.signal));
  const kept = present === null ? "" : ` Backup ${present} has the replaced state.`;
  await addJobEvent(run.db, job.id, RESTORED, `Restored backup ${backup}, which the version can read.${kept}`, {
    backup,
  });
}

/** Returns the same UUID for the same text. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5");
}

function upgradeRefused({ to, failure }: NonNullable<SandboxStatus["upgrade"]>): JobRefused {
  const fault = failure?.message ?? "no cause was reported";
  return new JobRefused(jobErrors.state_not_upgraded, { gateway: to.name, version: to.version, fault });
}

const isOf = (image: NonNullable<KnownVersion["image"]>, { name, version }: GatewayVersion): boolean =>
  name === image.gateway && version === image.gatewayVersion;

/** Whether the tenant's container is no longer the former version's, as far as its gateway's version shows. */
function hasNewContainer({ wanted, former }: Change, { gateway }: SandboxStatus): boolean {
  if (gateway === undefined || (wanted.image !== null && isOf(wanted.image, gateway))) return true;
  return former.image !== null && !isOf(former.image, gateway);
}

/** Returns how a running tenant differs from the wanted version; `undefined` if it does not, or does not report it. */
function versionDifference(change: Change, status: SandboxStatus): string | undefined {
  const { image, bundle } = change.wanted;
  const { gateway, worker } = status;
  if (gateway !== undefined && image !== null && !isOf(image, gateway)) {
    return `${gateway.name} ${gateway.version} runs instead of ${image.gateway} ${image.gatewayVersion}, which the catalogue names for its image.`;
  }
  if (gateway !== undefined && change.former.image !== null && !hasNewContainer(change, status)) {
    return `${gateway.name} ${gateway.version} still runs instead of the platform's image.`;
  }
  if (bundle !== null && worker !== undefined && worker !== bundle) {
    return `its Worker is ${worker.slice(0, 12)} instead of ${bundle.slice(0, 12)}.`;
  }
  return undefined;
}
