/**
 * Another image, or another Worker, for a tenant. Its state is backed up before, and the new version has to run and to say that it is the
 * one; otherwise the tenant goes back to what it ran, with that backup where its state has become another.
 */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { type DeployableTenant, noteCause } from "#database/tenants/deployment.ts";
import { isUnderWay } from "#database/versions/rollouts.ts";
import {
  findKnownVersion,
  type KnownVersion,
  setUnstarted,
  setWanted,
  storeReport,
} from "#database/versions/versions.ts";
import { requestJob } from "#database/work/job-request.ts";
import { findOpenJob, isNoted, type Job, notedBackup, noteJob, noteJobOnce } from "#database/work/jobs.ts";
import { isSameVersion, type Version } from "#domain/rollouts/version.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { type SandboxStatus, sandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { TenantRefusal } from "../../outside/dispatch-worker.ts";
import { causeOf, type Run, TaskError } from "../../task.ts";
import type { JobKind, Means } from "../kind.ts";
import { JobOvertaken, JobRefused } from "../refusals.ts";
import { stacksOf, stillTenantOf, tenantOf, waitsForEngine } from "./deploying.ts";

const BETWEEN_LOOKS_MS = 1_500;
/** How long a new version may take to run: it may have to bring gigabytes of state up to date first. */
const READY_MS = 5 * 60_000;

const version = z.object({ imageId: z.uuid().nullable(), bundleId: z.uuid().nullable() });
/** What the API and roll-outs ask for. */
const adoption = z.object({
  to: version,
  /** What it ran before; null for a way back, of which there is none. */
  from: version.nullable(),
  /** Of the state that the version goes with, restored where the present one is too new for it. */
  backup: z.string().nullable(),
  /** Whether it is restored in any case, as the present state is another already. */
  always: z.boolean().default(false),
  /** The roll-out that asked, and while it is under way takes back itself what failed. Absent: somebody asked for this one alone. */
  rollout: z.uuid().optional(),
});
/** How long a way back may take, in hours. */
const BACK_HOURS = 3;

/** A job with what it is carried out with. */
interface Work {
  job: Job;
  tenant: DeployableTenant;
  means: Means;
  run: Run;
}

/** Another state than the present one, for a version. */
interface State {
  backup: string;
  /** `needed`: where the present state is too new for the version. `always`: as the present one is another already. */
  when: "needed" | "always";
}

export const adoptVersion: JobKind = {
  name: "adopt_version",
  late: "The new version did not run by its deadline. The job's events tell how far it came; once that is mended, ask for it again.",
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const { to, from, backup, always } = adoption.parse(job.payload);
    const tenant = await tenantOf(job, run);
    if (tenant.status !== "running" && tenant.status !== "frozen") {
      throw new JobOvertaken(
        `The instance is ${tenant.status} by now: its next provisioning has the version that is wanted.`,
      );
    }
    const work = { job, tenant, means, run };
    const before = from === null ? null : await backUp(work);
    // Whoever asked goes on without it once its time is over, and takes nothing back that is changed after that.
    if ((await findOpenJob(run.db, job.id)) === undefined) throw new JobRefused("Its time was over. Ask for it again.");
    try {
      // A try before may have found that it does not run.
      if (from !== null && (await isNoted(run.db, job.id, GOING_BACK)))
        throw new JobRefused("The new version did not run.");
      const state = backup === null ? undefined : ({ backup, when: always ? "always" : "needed" } as const);
      await change(work, { to, isBack: from === null, state });
    } catch (error) {
      // Without time left another job takes it back.
      if (!(error instanceof JobRefused) || from === null || run.signal.aborted) throw error;
      await goBack(work, from, before, error);
    }
  },
  async failed(job, cause, run) {
    const tenant = await stillTenantOf(job, run);
    if (tenant === undefined) return;
    const isTakenBack = await askForWayBack(job, tenant, run);
    const back = isTakenBack ? " It is taken back to what it ran before." : "";
    await noteCause(run.db, tenant, `Its change to another version failed: ${cause}${back}`);
  },
};

/** Has a tenant that was left with the new version taken back, by another job. @returns whether one was asked for, now or before */
async function askForWayBack(job: Job, tenant: DeployableTenant, { db }: Run): Promise<boolean> {
  const { to, from, rollout } = adoption.parse(job.payload);
  if (from === null || isSameVersion(to, from) || !isSameVersion(tenant, to)) return false;
  if (rollout !== undefined && (await isUnderWay(db, rollout))) return false;
  const backup = (await notedBackup(db, job.id)) ?? null;
  const always = await isNoted(db, job.id, RESTORED);
  await db.transaction().execute(async (tx) => {
    if (!(await noteJobOnce(tx, job.id, "way_back", "It is taken back by another job."))) return;
    const { clientId, instanceId, slug, generation } = tenant;
    const payload = { to: from, from: null, backup, ...(always && { always }) };
    const asked = { clientId, instanceId, slug, generation: String(generation), payload, requestedBy: "service" };
    await requestJob(tx, { kind: "adopt_version", ...asked, hours: BACK_HOURS });
  });
  return true;
}

const GOING_BACK = "going_back";
const RESTORED = "restored";

/** @throws JobRefused with why, and what it runs now */
async function goBack(work: Work, from: Version, before: string | null, { message }: JobRefused): Promise<never> {
  const { job, run } = work;
  if (!(await isNoted(run.db, job.id, GOING_BACK))) await noteJob(run.db, job.id, GOING_BACK, message);
  const when = (await isNoted(run.db, job.id, RESTORED)) ? "always" : "needed";
  try {
    await change(work, { to: from, isBack: true, state: before === null ? undefined : { backup: before, when } });
  } catch (error) {
    if (error instanceof TaskError) throw error;
    throw new JobRefused(`${message} It could not be taken back either: ${causeOf(error, run.log)}`);
  }
  throw new JobRefused(`${message} It runs what it ran before.`);
}

/** The backup of the state before, made by the first try. @returns its id; null where there is no state */
async function backUp({ job, tenant: { slug }, means: { dispatch }, run }: Work): Promise<string | null> {
  const noted = await notedBackup(run.db, job.id);
  if (noted !== undefined) return noted;
  const made = await dispatch.backUp(slug, run.signal).catch((error: unknown) => {
    throw error instanceof TenantRefusal ? new JobRefused(`${error.message} Nothing was changed.`) : error;
  });
  // What sleeps is what its newest backup says.
  const backup = made ?? (await dispatch.backups(slug, run.signal)).backups[0]?.id ?? null;
  const message = backup === null ? "There is no state to back up." : `The state before is backup ${backup}.`;
  await noteJob(run.db, job.id, "backed_up", message, backup === null ? {} : { backup });
  return backup;
}

/**
 * Deploys a version, and sees it run. Where that comes to nothing, what is wanted is the version that it may have been left with: the new one
 * from before its deployment, the old one from after that.
 *
 * @throws JobRefused when it does not run
 */
async function change(
  work: Work,
  { to, isBack, state }: { to: Version; isBack: boolean; state: State | undefined },
): Promise<void> {
  const { job, tenant, means, run } = work;
  const wanted = await findKnownVersion(run.db, to);
  if (!isBack) await setWanted(run.db, tenant.instanceId, to);
  await stacksOf(means).up(job, { ...tenant, ...to, image: wanted.image?.reference ?? null }, run);
  if (isBack) await setWanted(run.db, tenant.instanceId, to);
  await means.dispatch.invalidate(tenant.slug, run.signal);
  // Nothing starts the gateway of one that is frozen.
  if (tenant.status !== "running") return setUnstarted(run.db, tenant.instanceId);
  await noteJob(run.db, job.id, "starting", "The gateway is being started.");
  if (state?.when === "always") await restore(work, state.backup, `${job.id} ${GOING_BACK}`);
  await seeItRun(work, wanted, state);
}

async function seeItRun(work: Work, wanted: KnownVersion, state: State | undefined): Promise<void> {
  const { job, tenant, means, run } = work;
  const { signal } = run;
  const end = performance.now() + READY_MS;
  let why = "it did not answer.";
  let isRestored = false;
  while (performance.now() < end) {
    signal.throwIfAborted();
    const look = await means.dispatch.start(tenant.slug, signal).catch(() => undefined);
    const { data: snapshot } = healthSnapshot.safeParse(look);
    const told = await means.dispatch.status(tenant.slug, signal).catch(() => undefined);
    const { data: status } = sandboxStatus.safeParse(told);
    if (status?.upgrade?.state === "failed") throw new JobRefused(failedUpgrade(status.upgrade));
    if (status?.trouble?.kind === "newer-state") {
      if (state === undefined || isRestored) throw new JobRefused(`${status.trouble.reason}.`);
      await restore(work, state.backup, job.id);
      isRestored = true;
    } else if (snapshot?.startup.ok && snapshot.readiness.ok && status !== undefined) {
      await storeReport(run.db, tenant.instanceId, status);
      const other = otherThan(wanted, status);
      if (other === undefined) return;
      why = other;
    } else {
      why = snapshot?.startup.error ?? snapshot?.readiness.error ?? why;
    }
    await pause(BETWEEN_LOOKS_MS, undefined, { signal });
  }
  throw new JobRefused(`Its gateway did not run within ${READY_MS / 60_000} minutes: ${why}`);
}

/** @param order names the order, so that a try after this one does not restore again */
async function restore({ job, tenant, means, run }: Work, backup: string, order: string): Promise<void> {
  const how = { discardPresent: false, order: uuidOf(order) };
  const { present } = await means.dispatch.restore(tenant.slug, backup, how, run.signal).catch((error: unknown) => {
    throw error instanceof TenantRefusal ? new JobRefused(error.message) : error;
  });
  const kept = present === null ? "" : ` What was there is backup ${present}.`;
  await noteJob(run.db, job.id, RESTORED, `Backup ${backup} was restored, which goes with the version.${kept}`, {
    backup,
  });
}

/** The same UUID for the same text. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5");
}

function failedUpgrade({ to, failure }: NonNullable<SandboxStatus["upgrade"]>): string {
  return `Its state could not be brought up to ${to.name} ${to.version}: ${failure?.message ?? "it gave up"}.`;
}

/** In what a tenant that runs is not what is wanted; `undefined` where it is, or does not tell. */
function otherThan({ image, bundle }: KnownVersion, { gateway, worker }: SandboxStatus): string | undefined {
  if (image !== null && gateway !== undefined) {
    const isWanted = gateway.name === image.gateway && gateway.version === image.gatewayVersion;
    if (!isWanted) {
      return `it is ${gateway.name} ${gateway.version} that runs, and not ${image.gateway} ${image.gatewayVersion} as the catalogue says of its image.`;
    }
  }
  if (bundle !== null && worker !== undefined && worker !== bundle) {
    return `its Worker is ${worker.slice(0, 12)}, and not ${bundle.slice(0, 12)}.`;
  }
  return undefined;
}
