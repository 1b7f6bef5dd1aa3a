import type { Transaction } from "kysely";
import * as z from "zod";
import type { DB } from "#database/types.ts";
import {
  announceChange,
  beginWave,
  copyJobResults,
  endRollout,
  mailNotice,
  requestChange,
  skipTenant,
} from "#database/versions/rollout-steps.ts";
import { lockRollout, markForRollback, openRollout, type Rollout, rollBack } from "#database/versions/rollouts.ts";
import { lockTenant, type SteppedTenant, steppedTenants } from "#database/versions/stepped-tenants.ts";
import { queueEvent } from "#database/work/events.ts";
import type { Environment } from "#domain/environment.ts";
import { interruptibleFrom, openingAt } from "#domain/rollouts/maintenance-window.ts";
import { type Move, nextMoves } from "#domain/rollouts/progress.ts";
import { defineTask, type Run, type Task } from "../task.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Limit of consecutive moves; the next run continues. */
const MOST_TURNS = 50;

/** Advances the open rollout. Runs after each change of it or of its tenants, and each minute. */
export function rolloutsTask(environment: Environment): Task {
  return defineTask("rollouts", z.unknown(), async (_payload, run) => {
    for (let turn = 0; turn < MOST_TURNS && !run.signal.aborted; turn += 1) {
      if (!(await advanceRollout(environment, run))) return;
    }
  });
}

/** @returns whether anything was done, so that another turn is needed */
async function advanceRollout(environment: Environment, run: Run): Promise<boolean> {
  return run.db.transaction().execute(async (tx) => {
    const open = await openRollout(tx, environment);
    if (open === undefined) return false;
    await lockRollout(tx, open.id);
    const ended = await copyJobResults(tx, open.id);
    // Read again with the lock.
    const rollout = await openRollout(tx, environment);
    if (rollout?.id !== open.id) return false;
    // Tenants that were still changing when the rollback began.
    if (rollout.status === "rolling_back")
      await markForRollback(tx, rollout.id, { wave: wavesBack(rollout), among: ended });
    const tenants = await steppedTenants(tx, rollout.id);
    const { status, wave, cause, waves, soak_minutes } = rollout;
    const state = { status, wave, lastWave: waves.length, soakMs: soak_minutes * MINUTE_MS, cause, tenants };
    const now = new Date();
    const moves = nextMoves(state, now);
    for (const move of moves) await carryOut(tx, rollout, move, { tenants, now, run });
    return moves.length > 0;
  });
}

/** A rollout that gave up takes back its last wave only. */
const wavesBack = ({ cause, wave }: Rollout): number | undefined => (cause === null ? undefined : wave);

async function carryOut(
  tx: Transaction<DB>,
  rollout: Rollout,
  move: Move,
  { tenants, now, run }: { tenants: readonly SteppedTenant[]; now: Date; run: Run },
): Promise<void> {
  const { id } = rollout;
  const tenantWith = (instanceId: string): SteppedTenant => {
    const found = tenants.find((tenant) => tenant.instanceId === instanceId);
    if (found === undefined) throw new Error(`The rollout ${id} has no tenant ${instanceId}.`);
    return found;
  };
  const lockAndChange = async (status: "changing" | "going_back", { instanceId }: { instanceId: string }) => {
    const tenant = await lockTenant(tx, id, instanceId);
    // It changed since it was read: the next turn handles it.
    if (tenant.passedBy !== null || tenant.isBusy) return;
    await requestChange(tx, { id, requestedBy: rollout.requested_by, status }, tenant);
  };
  switch (move.do) {
    case "schedule":
      return scheduleTenant(tx, rollout, tenantWith(move.tenant.instanceId), now);
    case "change": {
      const tenant = tenantWith(move.tenant.instanceId);
      // The window closed before the change began.
      if (!rollout.urgent && interruptibleFrom(tenant.window, now) > now)
        return scheduleTenant(tx, rollout, tenant, now);
      return lockAndChange("changing", tenant);
    }
    case "go_back":
      return lockAndChange("going_back", move.tenant);
    case "skip":
      return skipTenant(tx, id, move.tenant, move.cause);
    case "next_wave":
      run.log("info", "rollout_wave", { rollout: id, wave: move.wave });
      await beginWave(tx, id, move.wave);
      return queueRolloutEvent(tx, rollout, "rollout.wave", { wave: move.wave });
    case "give_up": {
      run.log("warn", "rollout_gives_up", { rollout: id, cause: move.cause });
      const troubled = tenants
        .filter(({ status, trouble }) => trouble !== null && status !== "skipped")
        .map(({ instanceId }) => instanceId);
      await rollBack(tx, id, { cause: move.cause, wave: rollout.wave, troubled });
      return queueRolloutEvent(tx, rollout, "rollout.gives_up", { cause: move.cause });
    }
    case "end":
      run.log(move.status === "failed" ? "warn" : "info", "rollout_ended", { rollout: id, status: move.status });
      await endRollout(tx, id, move.status);
      return queueRolloutEvent(tx, rollout, "rollout.ended", { status: move.status });
  }
}

/** Sets when a tenant is changed, and announces it unless that is now. */
async function scheduleTenant(
  tx: Transaction<DB>,
  { id, urgent, notice_hours, image_id }: Rollout,
  tenant: SteppedTenant,
  now: Date,
): Promise<void> {
  const isAtOnce = urgent || image_id === null;
  const earliest = new Date(now.getTime() + notice_hours * HOUR_MS);
  const from = isAtOnce ? now : interruptibleFrom(tenant.window, earliest);
  await announceChange(tx, id, tenant, from);
  if (from <= now) return;
  const until = tenant.window === undefined ? null : openingAt(tenant.window, from).until.toISOString();
  const notice = { from: from.toISOString(), until, timeZone: tenant.window?.timeZone ?? null };
  const mails = await mailNotice(tx, tenant, notice);
  const data = { rollout_id: id, instance_id: tenant.instanceId, not_before: notice.from, mails };
  await queueEvent(tx, { client_id: tenant.clientId, kind: "instance.maintenance_planned", data });
}

async function queueRolloutEvent(
  tx: Transaction<DB>,
  { id }: Rollout,
  kind: string,
  data: Readonly<Record<string, string | number>>,
): Promise<void> {
  await queueEvent(tx, { client_id: null, kind, data: { rollout_id: id, ...data } });
}
