import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import {
  countRolloutWaves,
  findRollout,
  insertRollout,
  type Rollout as KnownRollout,
  type ListedRolloutTenant,
  listRollouts,
  listRolloutTenants,
  lockRollout,
  openRollout,
  rollBack,
  rolloutCandidates,
  setRolloutStatus,
} from "#database/versions/rollouts.ts";
import { findNewerInstances } from "#database/versions/versions.ts";
import { queueEvent } from "#database/work/events.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { rollout, rolloutTenant } from "#domain/entities/rollout.ts";
import type { Environment } from "#domain/environment.ts";
import { versionErrors } from "#domain/errors/api/versions.ts";
import type { Version } from "#domain/rollouts/version.ts";
import type { Rollout, rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import { inTransaction } from "../../http/connection.ts";
import { pageOf } from "../../http/cursors.ts";
import { type Failure, failure, requireFound } from "../../http/failure.tsx";
import type { Call, Handlers } from "../../http/serve.ts";
import { type Expectation, requireUnchanged } from "../changed-by.ts";
import { offeredBundle, offeredImage } from "../images/handlers.ts";
import { refuseOutgrown } from "./capacity-check.ts";

const MEMBERS = 500;
const NAMED = 5;

export const rolloutHandlers: Handlers<typeof rolloutRoutes> = {
  async listRollouts({ db, settings, query }) {
    return pageOf(query, (page) => listRollouts(db, settings.ENVIRONMENT, page), {
      body: rolloutBody,
      placeOf: ({ created_text, id }) => [created_text, id],
    });
  },

  async getRollout({ db, settings, params, query }) {
    const found = await requireRollout(db, settings.ENVIRONMENT, params.id);
    const members = await listRolloutTenants(db, found.id, { limit: MEMBERS, status: query.status });
    const by_wave = await countRolloutWaves(db, found.id);
    return { ...rolloutBody(found), by_wave, members: members.map(memberBody) };
  },

  async createRollout({ db, settings, body, caller }) {
    const { ENVIRONMENT: environment } = settings;
    const to: Version = { imageId: body.image_id ?? null, bundleId: body.worker_bundle_id ?? null };
    const open = await openRollout(db, environment);
    if (open !== undefined) {
      throw failure(versionErrors.rollout_in_progress, {}, { details: { rollout_id: open.id } });
    }
    if (to.bundleId !== null) await offeredBundle(db, environment, to.bundleId);
    const image = to.imageId === null ? undefined : await offeredImage(db, environment, to.imageId);
    const { reached, passedBy } = await rolloutCandidates(db, environment, to);
    if (reached.length === 0) {
      throw failure(versionErrors.rollout_without_tenants, {}, { details: passedByBody(passedBy) });
    }
    if (image !== undefined) {
      const ids = reached.map(({ instanceId }) => instanceId);
      const newer = await findNewerInstances(db, ids, image);
      if (newer.length > 0) throw tooOld(newer, image.gateway_version);
    }
    await refuseOutgrown(db);
    const { waves, soak_minutes: soakMinutes, notice_hours: noticeHours, urgent: isUrgent } = body;
    const planned = { ...to, waves, soakMinutes, noticeHours, isUrgent, requestedBy: caller.email };
    const id = await insertRollout(inTransaction(db), planned, reached);
    await tell(db, id, "begun", caller.email);
    return { ...rolloutBody(await requireRollout(db, environment, id)), passed_by: passedByBody(passedBy) };
  },

  async pauseRollout(call) {
    return become(call, { from: ["running"], to: "paused" });
  },

  async resumeRollout(call) {
    return become(call, { from: ["paused"], to: "running" });
  },

  async stopRollout(call) {
    return become(call, { from: ["running", "paused"], to: "stopped" });
  },

  async rollBackRollout({ db, settings, params, expected, caller }) {
    const { ENVIRONMENT: environment } = settings;
    const found = await lock(db, environment, params.id, { expected, caller });
    if (found.status === "rolling_back" || found.status === "rolled_back") {
      throw failure(versionErrors.rollout_already_rolled_back);
    }
    const open = await openRollout(db, environment);
    if (open !== undefined && open.id !== found.id) {
      throw failure(versionErrors.rollout_in_progress, {}, { details: { rollout_id: open.id } });
    }
    await rollBack(inTransaction(db), found.id, { cause: null });
    await tell(db, found.id, "rolling_back", caller.email);
    return rolloutBody(await requireRollout(db, environment, found.id));
  },
};

const tooOld = (newer: readonly string[], version: string): Failure => {
  const named = newer.slice(0, NAMED).join(", ");
  const slugs = `${named}${newer.length > NAMED ? ", …" : ""}`;
  return failure(versionErrors.rollout_image_too_old, { count: newer.length, slugs, version });
};

async function become(
  {
    db,
    settings,
    params,
    expected,
    caller,
  }: Call<(typeof rolloutRoutes)["pauseRollout" | "resumeRollout" | "stopRollout"]>,
  { from, to }: { from: readonly KnownRollout["status"][]; to: "running" | "paused" | "stopped" },
): Promise<Rollout> {
  const { ENVIRONMENT: environment } = settings;
  const found = await lock(db, environment, params.id, { expected, caller });
  if (!from.includes(found.status)) {
    throw failure(versionErrors.rollout_status_fixed, { status: found.status.replace("_", " "), to });
  }
  await setRolloutStatus(inTransaction(db), found.id, to);
  await tell(db, found.id, to, caller.email);
  return rolloutBody(await requireRollout(db, environment, found.id));
}

/** Sends an event to platform roots. */
async function tell(db: Kysely<DB>, rollout_id: string, what: string, by: string): Promise<void> {
  await queueEvent(db, { client_id: null, kind: `rollout.${what}`, data: { rollout_id, by } });
}

async function lock(
  db: Kysely<DB>,
  environment: Environment,
  id: string,
  { expected, caller }: Expectation,
): Promise<KnownRollout> {
  await lockRollout(db, id);
  const found = await requireRollout(db, environment, id);
  await requireUnchanged(db, expected, { entity: "rollouts", ...found }, caller);
  return found;
}

/** @throws Failure `not_found` */
const requireRollout = async (db: Kysely<DB>, environment: Environment, id: string): Promise<KnownRollout> =>
  requireFound(await findRollout(db, environment, id), versionErrors.rollout_not_found);

const rolloutBody = (row: KnownRollout): Rollout => bodyOf(rollout, row);

const passedByBody = ({ git, pinned, notRunning }: { git: number; pinned: number; notRunning: number }) => ({
  git,
  pinned,
  not_running: notRunning,
});

const memberBody = (row: ListedRolloutTenant) => bodyOf(rolloutTenant, row);
