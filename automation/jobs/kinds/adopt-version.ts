/**
 * Another image, or another Worker, for a tenant. Its state is backed up before, and the new version has to run and to say that it is the
 * one; otherwise the tenant goes back to what it ran, with that backup where its state has become too new for it.
 */
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import type { DeployableTenant } from "../../../database/tenants/deployment.ts";
import {
  findKnownVersion,
  type KnownVersion,
  setWanted,
  storeReport,
  type Version,
} from "../../../database/versions/versions.ts";
import { type Job, notedBackup, noteJob } from "../../../database/work/jobs.ts";
import { healthSnapshot } from "../../../workers/contracts/health-snapshot.ts";
import { type SandboxStatus, sandboxStatus } from "../../../workers/contracts/sandbox-status.ts";
import { causeOf, type Run, TaskError } from "../../task.ts";
import type { JobKind, Means } from "../kind.ts";
import { JobOvertaken, JobRefused } from "../refusals.ts";
import { failing, stacksOf, tenantOf, waitsForEngine } from "./deploying.ts";

const BETWEEN_LOOKS_MS = 1_500;
/** How long a new version may take to run: it may have to bring gigabytes of state up to date first. */
const READY_MS = 5 * 60_000;

const version = z.object({ imageId: z.uuid().nullable(), bundleId: z.uuid().nullable() });
/** What the API and roll-outs ask for. */
export const adoption = z.object({
  to: version,
  /** What it ran before; null for a way back, of which there is none. */
  from: version.nullable(),
  /** Of the state that the version goes with, restored where the present one is too new for it. */
  backup: z.string().nullable(),
});

export const adoptVersion: JobKind = {
  name: "adopt_version",
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const { to, from, backup } = adoption.parse(job.payload);
    const tenant = await tenantOf(job, run);
    if (tenant.status !== "running" && tenant.status !== "frozen") {
      throw new JobOvertaken(
        `The instance is ${tenant.status} by now: its next provisioning has the version that is wanted.`,
      );
    }
    const kept = backup ?? (await backUp(job, tenant, means, run));
    try {
      await change(job, tenant, { to, backup }, means, run);
    } catch (error) {
      if (!(error instanceof JobRefused) || from === null) throw error;
      await noteJob(run.db, job.id, "going_back", error.message);
      await change(job, tenant, { to: from, backup: kept }, means, run).catch((worse: unknown) => {
        if (worse instanceof TaskError) throw worse;
        throw new JobRefused(`${error.message} It could not be taken back either: ${causeOf(worse)}`);
      });
      throw new JobRefused(`${error.message} It runs what it ran before.`);
    }
  },
  ...failing((cause) => `Its change to another version failed: ${cause}`),
};

/** The backup of the state before, made by the first try. @returns its id; null where there is no state */
async function backUp(job: Job, { slug }: DeployableTenant, { dispatch }: Means, run: Run): Promise<string | null> {
  const before = await notedBackup(run.db, job.id);
  if (before !== undefined) return before;
  const made = await dispatch.backUp(slug, run.signal);
  // What sleeps is what its newest backup says.
  const id = made ?? (await dispatch.backups(slug, run.signal)).backups[0]?.id ?? null;
  const data = id === null ? {} : { backup: id };
  await noteJob(
    run.db,
    job.id,
    "backed_up",
    id === null ? "There is no state to back up." : `The state before is backup ${id}.`,
    data,
  );
  return id;
}

/** Deploys a version, and sees it run. @throws JobRefused when it does not */
async function change(
  job: Job,
  tenant: DeployableTenant,
  { to, backup }: { to: Version; backup: string | null },
  means: Means,
  run: Run,
): Promise<void> {
  const wanted = await findKnownVersion(run.db, to);
  await setWanted(run.db, tenant.instanceId, to);
  await stacksOf(means).up(job, { ...tenant, ...to, image: wanted.image?.reference ?? null }, run);
  await means.dispatch.invalidate(tenant.slug, run.signal);
  if (tenant.status !== "running") return;
  await noteJob(run.db, job.id, "starting", "The gateway is being started.");
  await seeItRun(tenant, { wanted, backup }, { job, means, run });
}

async function seeItRun(
  tenant: DeployableTenant,
  { wanted, backup }: { wanted: KnownVersion; backup: string | null },
  { job, means: { dispatch }, run }: { job: Job; means: Means; run: Run },
): Promise<void> {
  const { slug } = tenant;
  const { signal } = run;
  const end = performance.now() + READY_MS;
  let why = "it did not answer.";
  let isRestored = false;
  while (performance.now() < end) {
    signal.throwIfAborted();
    const { data: snapshot } = healthSnapshot.safeParse(await dispatch.start(slug, signal).catch(() => undefined));
    const { data: status } = sandboxStatus.safeParse(await dispatch.status(slug, signal).catch(() => undefined));
    if (snapshot?.startup.ok && snapshot.readiness.ok && status !== undefined) {
      await storeReport(run.db, tenant.instanceId, status);
      const other = otherThan(wanted, status);
      if (other === undefined) return;
      why = other;
    }
    if (status?.upgrade?.state === "failed") {
      throw new JobRefused(
        `Its state could not be brought up to ${status.upgrade.to.version}: ${status.upgrade.failure?.message ?? "it gave up"}.`,
      );
    }
    if (status?.trouble?.kind === "newer-state") {
      if (backup === null || isRestored) throw new JobRefused(`${status.trouble.reason}.`);
      const { present } = await dispatch.restore(slug, backup, { discardPresent: false }, signal);
      isRestored = true;
      const kept = present === null ? "" : ` What was there is backup ${present}.`;
      await noteJob(run.db, job.id, "restored", `Backup ${backup} was restored, which goes with the image.${kept}`);
    }
    why = snapshot?.startup.error ?? snapshot?.readiness.error ?? why;
    await pause(BETWEEN_LOOKS_MS, undefined, { signal });
  }
  throw new JobRefused(`Its gateway did not run within ${READY_MS / 60_000} minutes: ${why}`);
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
