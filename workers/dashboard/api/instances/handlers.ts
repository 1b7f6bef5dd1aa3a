/** What the routes of instances do. */

import { withTimeout } from "@tenantry/std/within";
import type { Kysely } from "kysely";
import { healthDays } from "#database/health/history.ts";
import { lockClient } from "#database/tenants/client-changes.ts";
import { beginRemoval } from "#database/tenants/deletion/removal.ts";
import { findTenantRows } from "#database/tenants/handover.ts";
import { findInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { findPin, instanceVersion, setPinned } from "#database/versions/versions.ts";
import { openJob } from "#database/work/job-list.ts";
import type { Environment } from "#domain/environment.ts";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import type { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { inTransaction } from "../../http/connection.ts";
import { Failure, failure, requireFound } from "../../http/failure.tsx";
import { requireOwn } from "../../http/git-owned.ts";
import type { Handlers } from "../../http/serve.ts";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { changedSince, requireUnchanged } from "../changed-by.ts";
import { sendInstanceEvent } from "../events.ts";
import { jobBody } from "../jobs/body.ts";
import { lockedInstance, requireClient, requireInstance, requireJob } from "../required.ts";
import { instanceBody } from "./body.ts";
import { backupBody, requesterOf } from "./data-handlers.ts";
import { knownHealth, probeInstance } from "./health.ts";
import { heartbeatOf, heartbeatSource } from "./heartbeat.ts";
import { offeredVersions, pinRefusal } from "./offered-versions.ts";
import { changePlan, moveGateway, requireActive, requireDeployed, restoreInstance, rotateToken } from "./operations.ts";
import { requireChangeable } from "./own-changes.ts";
import { provision } from "./provisioning.ts";
import { stackFile } from "./stack-file.ts";
import { changeVersion, requireOfferedChange, startInWindow } from "./version-change.ts";

/** A backup, also that before sleep, continues after this time. */
const BACKUP_WAIT_MS = 20_000;

async function describeInstance(db: Kysely<DB>, environment: Environment, id: string) {
  const found = await requireInstance(db, environment, id);
  return instanceBody(found, await openJob(db, environment, id), await instanceVersion(db, id));
}

export const instanceHandlers: Handlers<typeof instanceRoutes> = {
  async createInstance({ db, settings, body, caller }) {
    const { client_id, use_kept_backups: useKeptBackups = false, ...named } = body;
    if (useKeptBackups && caller.role !== "ROOT") {
      throw failure(instanceErrors.kept_backups_require_root);
    }
    await lockClient(db, client_id);
    const client = await requireClient(db, settings.ENVIRONMENT, client_id);
    const before = await findInstance(db, settings.ENVIRONMENT, { clientId: client_id });
    const id = await provision(db, { settings, client, before, named, useKeptBackups, caller });
    await sendInstanceEvent(db, { id, client }, "instance.provisioning_ordered", caller.email);
    return describeInstance(db, settings.ENVIRONMENT, id);
  },

  async getInstance({ db, settings, params }) {
    return describeInstance(db, settings.ENVIRONMENT, params.instance_id);
  },

  async removeInstance({ db, settings, params, query, caller, expected }) {
    const found = await lockedInstance(db, settings.ENVIRONMENT, params.instance_id);
    await requireUnchanged(db, expected, { entity: "instances", ...found }, caller);
    const { id: clientId, slug } = found.client;
    requireOwn(`The instance of ${slug}`, found, slug);
    const client = { clientId, slug, environment: settings.ENVIRONMENT };
    const discardState = query.discard_state === "true";
    await beginRemoval(inTransaction(db), client, { requestedBy: caller.email, discardState });
    await sendInstanceEvent(db, found, "instance.removal_ordered", caller.email);
    return describeInstance(db, settings.ENVIRONMENT, found.id);
  },

  async changeWorkerPlan({ db, settings, params, query, caller, expected }) {
    const found = await lockedInstance(db, settings.ENVIRONMENT, params.instance_id);
    await requireUnchanged(db, expected, { entity: "instances", ...found }, caller);
    const client = await requireClient(db, settings.ENVIRONMENT, found.client.id);
    requireChangeable({ client, instance: found }, caller);
    if (query.from !== undefined && query.from !== client.billing_plan) {
      throw await changedSince(db, { entity: "clients", ...client, column: "billing_plan" }, caller);
    }
    await changePlan(db, settings.ENVIRONMENT, found, { to: params.plan_type, caller });
    await sendInstanceEvent(db, found, "instance.plan_ordered", caller.email);
    return describeInstance(db, settings.ENVIRONMENT, found.id);
  },

  async listVersions({ db, settings, params }) {
    const instance = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    const client = await requireClient(db, settings.ENVIRONMENT, instance.client.id);
    return offeredVersions(db, settings.ENVIRONMENT, { client, instance });
  },

  async changeVersion({ db, settings, params, body, caller, expected }) {
    const found = await lockedInstance(db, settings.ENVIRONMENT, params.instance_id);
    await requireUnchanged(db, expected, { entity: "instances", ...found }, caller);
    const client = await requireClient(db, settings.ENVIRONMENT, found.client.id);
    if (caller.tenant === undefined) requireOwn(`The instance of ${client.slug}`, found, client.slug);
    else requireChangeable({ client, instance: found }, caller);
    const { image_id: imageId, worker_bundle_id: bundleId, backup_id: backup, start } = body;
    const offered =
      caller.tenant === undefined ? undefined : await requireOfferedChange(db, found, { imageId, bundleId });
    const notBefore = start === "window" ? startInWindow(client) : undefined;
    const change = { imageId, bundleId, backup, notBefore };
    const id = await changeVersion(db, settings.ENVIRONMENT, found, { change, caller, offered });
    return jobBody(await requireJob(db, settings.ENVIRONMENT, id));
  },

  async pinInstance({ db, settings, params, body, caller, expected }) {
    const found = await lockedInstance(db, settings.ENVIRONMENT, params.instance_id);
    await requireUnchanged(db, expected, { entity: "instances", ...found }, caller);
    requireOwn(`The instance of ${found.client.slug}`, found, found.client.slug, caller);
    const refusal = pinRefusal(await findPin(db, found.id), found.client);
    if (caller.tenant !== undefined && !body.pinned && refusal !== undefined) throw new Failure(refusal);
    await setPinned(db, found.id, body.pinned);
    return describeInstance(db, settings.ENVIRONMENT, found.id);
  },

  async rotateToken({ db, settings, params, caller }) {
    const found = await lockedInstance(db, settings.ENVIRONMENT, params.instance_id);
    requireOwn(`The instance of ${found.client.slug}`, found, found.client.slug);
    const id = await rotateToken(db, settings.ENVIRONMENT, found, caller);
    return jobBody(await requireJob(db, settings.ENVIRONMENT, id));
  },

  async getInstanceHealth({ db, settings, params, caller, release }) {
    const found = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    const known = await knownHealth(db, found);
    const isForTenant = (await caller).tenant !== undefined;
    await release();
    const [probed, heartbeat] = await Promise.all([
      probeInstance(new TenantOrders(settings), found, isForTenant),
      heartbeatOf(heartbeatSource(settings), found.client.slug, found.created_at, isForTenant),
    ]);
    return {
      status: found.status,
      state_cause: found.state_cause,
      state_deadline: found.state_deadline?.toISOString() ?? null,
      generation: found.generation,
      ...probed,
      heartbeat,
      ...known,
    };
  },

  async getInstanceAvailability({ db, settings, params }) {
    const { id } = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    const days = await healthDays(db, id);
    return {
      data: days.map(({ day, samples, ready, meanLatencyMs }) => ({
        day,
        samples,
        ready,
        mean_latency_ms: meanLatencyMs,
      })),
    };
  },

  async restartInstance({ db, settings, params, caller, actOutside }) {
    const found = await requireActive(db, settings.ENVIRONMENT, params.instance_id);
    await sendInstanceEvent(db, found, "instance.restart_ordered", caller.email);
    // Within the transaction: a failed request leaves no event.
    actOutside();
    await new TenantOrders(settings).restart(found.client.slug);
    return { restarting: true };
  },

  async wakeInstance({ db, settings, params, caller, release }) {
    const found = await requireActive(db, settings.ENVIRONMENT, params.instance_id);
    requireDeployed(found);
    // A user can also wake it by opening the agent, which leaves no event.
    if (caller.role !== "BASE_USER") await sendInstanceEvent(db, found, "instance.wake_ordered", caller.email);
    await release();
    return { state: await new TenantOrders(settings).wake(found.client.slug) };
  },

  async sleepInstance({ db, settings, params, body, caller, release, runAfterCommit }) {
    const found = await requireActive(db, settings.ENVIRONMENT, params.instance_id);
    await sendInstanceEvent(db, found, "instance.sleep_ordered", caller.email);
    await release();
    const { wake_after_seconds: wakeAfterSeconds } = body;
    const order = wakeAfterSeconds === undefined ? {} : { wakeAfterSeconds };
    const fallingAsleep = new TenantOrders(settings).sleep(found.client.slug, order).then((wakesAt) => ({ wakesAt }));
    const done = await withTimeout(BACKUP_WAIT_MS, fallingAsleep);
    if (done !== undefined) return { state: "asleep", wakes_at: done.wakesAt ?? null };
    runAfterCommit(() => fallingAsleep.catch(() => undefined));
    return { state: "under_way", wakes_at: null };
  },

  async backUpInstance({ db, settings, params, caller, release, runAfterCommit }) {
    const found = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    await sendInstanceEvent(db, found, "instance.backup_ordered", caller.email);
    await release();
    const backingUp = new TenantOrders(settings)
      .backUp(found.client.slug, requesterOf(caller))
      .then((backup) => ({ backup }));
    const done = await withTimeout(BACKUP_WAIT_MS, backingUp);
    if (done === undefined) {
      runAfterCommit(() => backingUp.catch(() => undefined));
      return { state: "under_way", backup: null };
    }
    if (done.backup === undefined) return { state: "nothing", backup: null };
    const { id, createdAt, bytes } = done.backup;
    return { state: "made", backup: { id, created_at: createdAt, bytes } };
  },

  async listBackups({ db, settings, params, release }) {
    const { client } = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    await release();
    const { backups, trouble, retention } = await new TenantOrders(settings).backups(client.slug);
    return {
      data: backups.map(backupBody),
      trouble: trouble
        ? { kind: trouble.kind, reason: trouble.reason, since: trouble.since, remedy: trouble.remedy ?? null }
        : null,
      retention: retention ? { ...retention, bytes: retention.bytes ?? null } : null,
    };
  },

  async downloadBackup({ db, settings, params, caller, release }) {
    const found = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    await sendInstanceEvent(db, found, "instance.backup_downloaded", (await caller).email, {
      backup_id: params.backup_id,
    });
    await release();
    return new TenantOrders(settings).backup(found.client.slug, params.backup_id);
  },

  async restoreBackup({ db, settings, params, body, caller }) {
    const found = await lockedInstance(db, settings.ENVIRONMENT, params.instance_id);
    const id = await restoreInstance(db, settings.ENVIRONMENT, found, { ...body, caller });
    await sendInstanceEvent(db, found, "instance.restore_ordered", caller.email, {
      backup_id: body.backup_id,
      job_id: id,
    });
    return jobBody(await requireJob(db, settings.ENVIRONMENT, id));
  },

  async getInstanceFile({ db, settings, params, caller }) {
    const { client } = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    const rows = await findTenantRows(db, settings.ENVIRONMENT, client.slug);
    return stackFile(
      requireFound(rows, instanceErrors.instance_not_found),
      (await caller).role === "ROOT" ? settings.PLATFORM_STACK : undefined,
    );
  },

  async getInstanceLog({ db, settings, params, release }) {
    const { client } = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    await release();
    return { lines: await new TenantOrders(settings).log(client.slug) };
  },

  async assignGateway({ db, settings, params, body, caller }) {
    const found = await lockedInstance(db, settings.ENVIRONMENT, params.id);
    requireOwn(`The instance of ${found.client.slug}`, found, found.client.slug);
    const id = await moveGateway(db, settings, found, { named: body, caller });
    return jobBody(await requireJob(db, settings.ENVIRONMENT, id));
  },
};
