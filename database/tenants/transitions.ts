/**
 * The status of an instance: every allowed transition, and the only code that writes the column `status` of `tenantry.instances`.
 *
 * `docs/reference/instance-states.md` shows the table. Stacks insert and delete rows of their own (`by: "stack"`), no SQL routine sets the column,
 * and the trigger `tenantry.check_instance_status` maintains `frozen_from`, `frozen_by` and, for roots, `generation`.
 */

import { type Insertable, type Kysely, sql, type Transaction } from "kysely";
import type { Manager } from "#domain/entities/entity.ts";
import type { InstanceState } from "#domain/tenants/instance-state.ts";
import type { DB } from "../types.ts";
import type { FreezeCause, LockedInstance } from "./operation.ts";

/** Minutes that provisioning may take. `failLateInstances` in `database/work/deadlines.ts` enforces it. */
const PROVISIONING_MINUTES = 30;

interface Condition {
  frozen_from?: readonly (InstanceState | null)[];
  managed_by?: readonly Manager[];
  /** `state_deadline` has passed. */
  isOverdue?: true;
}

export interface Transition {
  cause: string;
  /** `none`: there is no row. */
  from: readonly (InstanceState | "none")[];
  to: InstanceState | "none";
  /** In words. `when` is the part of it that the UPDATE checks. */
  guard: string;
  when?: Condition;
  /** Of the new status. */
  deadlineMinutes?: number;
  /** Written to `frozen_for`. */
  frozenFor?: FreezeCause;
  /** Written to `state_cause` unless the caller gives a text. */
  stateCause?: string;
  /** Whether it raises the generation, so that work for the previous one is refused. */
  beginsOperation?: true;
  by: "createInstance" | "changeStatus" | "deleteRemoved" | "stack";
}

const ANY = ["provisioning", "running", "frozen", "stopped", "error"] as const;

const TABLE = [
  {
    cause: "provisioning requested",
    from: ["none"],
    to: "provisioning",
    guard: "The client has no instance.",
    deadlineMinutes: PROVISIONING_MINUTES,
    by: "createInstance",
  },
  {
    cause: "declared in a stack",
    from: ["none"],
    to: "provisioning",
    guard: "The client has no instance.",
    deadlineMinutes: PROVISIONING_MINUTES,
    by: "stack",
  },
  {
    cause: "provisioned",
    from: ["provisioning", "error"],
    to: "running",
    guard: "The gateway of this generation is ready. Polling includes instances in error only if Git manages them.",
    by: "changeStatus",
  },
  {
    cause: "deploy failed",
    from: ["provisioning"],
    to: "error",
    guard: "The provision job of this generation failed.",
    by: "changeStatus",
  },
  {
    cause: "timed out",
    from: ["provisioning"],
    to: "error",
    guard: "The deadline has passed.",
    when: { isOverdue: true },
    by: "changeStatus",
  },
  {
    cause: "provisioning cancelled",
    from: ["provisioning"],
    to: "error",
    guard: "The provision job of this generation was still queued.",
    by: "changeStatus",
  },
  {
    cause: "provisioning requested again",
    from: ["error"],
    to: "provisioning",
    guard: "The dashboard manages it, its client is not being deleted, and no teardown is open.",
    when: { managed_by: ["dashboard"] },
    deadlineMinutes: PROVISIONING_MINUTES,
    beginsOperation: true,
    by: "changeStatus",
  },
  {
    cause: "frozen on request",
    from: ["provisioning", "running", "error"],
    to: "frozen",
    guard: "A root or an ADMIN of the client asked for it.",
    frozenFor: "asked",
    beginsOperation: true,
    by: "changeStatus",
  },
  {
    cause: "frozen for non-payment",
    from: ["provisioning", "running", "error"],
    to: "frozen",
    guard: "The client's credit is used up.",
    frozenFor: "credit",
    beginsOperation: true,
    by: "changeStatus",
  },
  {
    cause: "frozen for deletion",
    from: ["provisioning", "running", "error"],
    to: "frozen",
    guard: "The deletion of the client was requested.",
    frozenFor: "deletion",
    beginsOperation: true,
    by: "changeStatus",
  },
  {
    cause: "resumed",
    from: ["frozen"],
    to: "running",
    guard: "It was running before it was frozen.",
    when: { frozen_from: ["running", null] },
    beginsOperation: true,
    by: "changeStatus",
  },
  {
    cause: "resumed during a stack's deployment",
    from: ["frozen"],
    to: "provisioning",
    guard:
      "It was being provisioned before it was frozen, and Git manages it: health polling detects that it is ready.",
    when: { frozen_from: ["provisioning"], managed_by: ["git"] },
    deadlineMinutes: PROVISIONING_MINUTES,
    beginsOperation: true,
    by: "changeStatus",
  },
  {
    cause: "resumed without a deployment",
    from: ["frozen"],
    to: "error",
    guard:
      "It was being provisioned before it was frozen, and the dashboard manages it: its provision job is for an older generation.",
    when: { frozen_from: ["provisioning"], managed_by: ["dashboard"] },
    stateCause: "The instance was frozen during provisioning. Provision it again.",
    beginsOperation: true,
    by: "changeStatus",
  },
  {
    cause: "resumed in error",
    from: ["frozen"],
    to: "error",
    guard: "It was in error before it was frozen.",
    when: { frozen_from: ["error"] },
    stateCause: "The instance was in error before it was frozen. Provision it again.",
    beginsOperation: true,
    by: "changeStatus",
  },
  {
    cause: "resumed after a withdrawn teardown",
    from: ["frozen"],
    to: "error",
    guard: "Its teardown was withdrawn while the client had no credit.",
    when: { frozen_from: ["stopped"] },
    stateCause: "Its teardown was withdrawn while the client had no credit. Provision it again.",
    beginsOperation: true,
    by: "changeStatus",
  },
  {
    cause: "teardown began",
    from: ANY,
    to: "stopped",
    guard: "The dashboard manages it, and no teardown is open.",
    when: { managed_by: ["dashboard"] },
    beginsOperation: true,
    by: "changeStatus",
  },
  {
    cause: "teardown withdrawn",
    from: ["stopped"],
    to: "provisioning",
    guard: "The teardown job was still queued, and the client has credit.",
    deadlineMinutes: PROVISIONING_MINUTES,
    beginsOperation: true,
    by: "changeStatus",
  },
  {
    cause: "teardown withdrawn without credit",
    from: ["stopped"],
    to: "frozen",
    guard: "The teardown job was still queued, and the client's credit is used up.",
    frozenFor: "credit",
    beginsOperation: true,
    by: "changeStatus",
  },
  {
    cause: "teardown finished",
    from: ["stopped"],
    to: "none",
    guard: "The stack of this generation is destroyed, and the dashboard manages the row.",
    when: { managed_by: ["dashboard"] },
    by: "deleteRemoved",
  },
  {
    cause: "removed from a stack",
    from: ANY,
    to: "none",
    guard: "The stack owns the row.",
    by: "stack",
  },
] as const satisfies readonly Transition[];

export const transitions: readonly Transition[] = TABLE;
export type ChangeCause = Extract<(typeof TABLE)[number], { by: "changeStatus" }>["cause"];

function transitionOf(cause: (typeof TABLE)[number]["cause"]): Transition {
  const found = transitions.find((transition) => transition.cause === cause);
  if (found === undefined) throw new Error(`The table of transitions has no cause '${cause}'.`);
  return found;
}

/** The one of some causes whose condition a locked row meets. @throws Error if it meets none */
export function causeFor<C extends ChangeCause>(
  causes: readonly C[],
  { id, frozen_from, managed_by }: Pick<LockedInstance, "id" | "frozen_from" | "managed_by">,
): C {
  const holds = (allowed: readonly (string | null)[] | undefined, value: string | null) =>
    allowed === undefined || allowed.includes(value);
  const found = causes.find((cause) => {
    const { when = {} } = transitionOf(cause);
    return holds(when.frozen_from, frozen_from) && holds(when.managed_by, managed_by);
  });
  if (found === undefined) throw new Error(`Instance ${id} meets the condition of none of: ${causes.join(", ")}.`);
  return found;
}

type Gateway = Pick<Insertable<DB["tenantry.instances"]>, "ai_gateway_id" | "ai_gateway_pool_id">;

export interface StatusChange {
  /** By the generation that the caller read. Another generation refuses the change. */
  instance: { id: string; generation: string | number | bigint };
  cause: ChangeCause;
  /** Explains the status to people. Default: the table's text, or none. */
  stateCause?: string;
  /** The AI gateway that it binds from now on. Default: the present one. */
  gateway?: Gateway;
}

/**
 * Changes an instance's status with the columns that belong to it.
 * @returns the generation after the change; `undefined` if the row has another generation, or the table does not allow the transition from its status
 */
export async function changeStatus(
  tx: Transaction<DB>,
  { instance: { id, generation }, cause, stateCause, gateway }: StatusChange,
): Promise<{ generation: string } | undefined> {
  const { from, to, when = {}, frozenFor, beginsOperation, ...row } = transitionOf(cause);
  // The trigger refuses a status from the automation service unless the transaction names the row's generation.
  await sql`select set_config('tenantry.generation', ${String(generation)}, true)`.execute(tx);
  let update = tx
    .updateTable("tenantry.instances")
    .set({
      status: to,
      state_cause: stateCause ?? row.stateCause ?? null,
      ...deadlineOf(row),
      ...(frozenFor !== undefined && { frozen_for: frozenFor }),
      ...(beginsOperation && { generation: sql<string>`generation + 1` }),
      ...gateway,
    })
    .where("id", "=", id)
    .where("generation", "=", String(generation))
    .where("status", "in", [...from]);
  const { frozen_from, managed_by, isOverdue } = when;
  if (frozen_from !== undefined) {
    const known = frozen_from.filter((status) => status !== null);
    update = update.where((e) =>
      e.or([e("frozen_from", "in", known), ...(frozen_from.includes(null) ? [e("frozen_from", "is", null)] : [])]),
    );
  }
  if (managed_by !== undefined) update = update.where("managed_by", "in", [...managed_by]);
  if (isOverdue) update = update.where("state_deadline", "<", sql<Date>`now()`);
  return update.returning("generation").executeTakeFirst();
}

/** Like {@link changeStatus}, for a row that the transaction has locked. @returns the new generation @throws Error if it is refused */
export async function requireStatusChange(
  tx: Transaction<DB>,
  { instance, ...change }: StatusChange & { instance: Pick<LockedInstance, "id" | "generation" | "status"> },
): Promise<string> {
  const changed = await changeStatus(tx, { instance, ...change });
  if (changed !== undefined) return changed.generation;
  throw new Error(`Instance ${instance.id} is ${instance.status}: the transition '${change.cause}' is not allowed.`);
}

/** Inserts the row of a client's new instance, which the dashboard manages. */
export async function createInstance(
  db: Kysely<DB>,
  values: Pick<Insertable<DB["tenantry.instances"]>, "client_id" | "environment" | "worker_name" | "state_cause"> &
    Gateway,
): Promise<{ id: string; generation: string }> {
  const { to, ...row } = transitionOf("provisioning requested");
  return db
    .insertInto("tenantry.instances")
    .values({ ...values, status: to, managed_by: "dashboard", ...deadlineOf(row) })
    .returning(["id", "generation"])
    .executeTakeFirstOrThrow();
}

const deadlineOf = ({ deadlineMinutes: minutes }: Pick<Transition, "deadlineMinutes">) =>
  minutes === undefined ? {} : { state_deadline: sql<Date>`now() + make_interval(mins => ${minutes})` };
