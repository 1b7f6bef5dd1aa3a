import type { Kysely } from "kysely";
import * as z from "zod";
import { type Plan, plans } from "#domain/plans/plan.ts";
import { type ClientState, clientStates } from "#domain/tenants/instance-state.ts";
import type { DB } from "../types.ts";
import { queueEvent } from "../work/events.ts";
import type { Job } from "../work/jobs.ts";
import { changeStatus } from "./transitions.ts";

export interface DeployableTenant {
  clientId: string;
  instanceId: string;
  slug: string;
  name: string;
  plan: Plan;
  clientStatus: ClientState;
  status: string;
  generation: bigint;
  gatewayId: string | null;
  tokenVersion: number;
  /** Id and reference of the desired image; null for the platform's. */
  imageId: string | null;
  image: string | null;
  /** Id of the desired Worker bundle; null for the service's own. */
  bundleId: string | null;
  isNew: boolean;
}

const row = z.object({
  plan: z.enum(plans),
  clientStatus: z.enum(clientStates),
  generation: z.coerce.bigint(),
});

export type Owner = "dashboard" | "anybody";

/** Returns the tenant of a job's instance; undefined if it was deleted, or has another manager. @param owner default: the dashboard */
export async function deployableTenant(
  db: Kysely<DB>,
  { instance_id }: Pick<Job, "instance_id">,
  owner: Owner = "dashboard",
): Promise<DeployableTenant | undefined> {
  if (instance_id === null) return undefined;
  const found = await db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .leftJoin("tenantry.images as m", "m.id", "i.image_id")
    .select(["c.id as clientId", "c.slug", "c.name", "c.billing_plan as plan", "c.status as clientStatus"])
    .select(["i.id as instanceId", "i.status", "i.generation", "i.image_id as imageId", "m.reference as image"])
    .select(["i.bundle_id as bundleId", "i.ai_gateway_id as gatewayId", "i.token_version as tokenVersion"])
    .select("i.access_aud")
    .where("i.id", "=", instance_id)
    .where("i.managed_by", "in", owner === "dashboard" ? ["dashboard"] : ["dashboard", "git"])
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { access_aud, ...tenant } = found;
  return { ...tenant, ...row.parse(tenant), isNew: access_aud === null };
}

type Named = Pick<DeployableTenant, "clientId" | "instanceId" | "slug" | "generation">;

export async function failProvisioning(db: Kysely<DB>, tenant: Named, cause: string): Promise<boolean> {
  const { clientId, instanceId, slug, generation } = tenant;
  return db.transaction().execute(async (tx) => {
    const failure = { instance: { id: instanceId, generation }, cause: "deploy failed", stateCause: cause } as const;
    if ((await changeStatus(tx, failure)) === undefined) return false;
    await queueEvent(tx, {
      client_id: clientId,
      kind: "instance.failed",
      data: { instance_id: instanceId, slug, cause },
    });
    return true;
  });
}

/** Stores the reason of an instance's status, unless another operation has started since. */
export async function setStateCause(
  db: Kysely<DB>,
  { instanceId, generation }: Pick<Named, "instanceId" | "generation">,
  cause: string,
): Promise<void> {
  await db
    .updateTable("tenantry.instances")
    .set({ state_cause: cause })
    .where("id", "=", instanceId)
    .where("generation", "=", String(generation))
    .execute();
}

/** Holds an instance's slot in the pool until its move ends (the database's `job_settled`). */
export async function holdSlot(db: Kysely<DB>, { instanceId }: Pick<Named, "instanceId">): Promise<void> {
  await db
    .updateTable("tenantry.instances")
    .set((e) => ({ held_pool_id: e.ref("ai_gateway_pool_id") }))
    .where("id", "=", instanceId)
    .where("held_pool_id", "is", null)
    .execute();
}

/** Deletes the row of a removed instance that no stack declared, or whose creation failed. */
export async function deleteRemoved(
  db: Kysely<DB>,
  { instanceId, generation }: Pick<Named, "instanceId" | "generation">,
): Promise<void> {
  await db
    .deleteFrom("tenantry.instances")
    .where("id", "=", instanceId)
    .where("generation", "=", String(generation))
    .where("managed_by", "=", "dashboard")
    .where("status", "=", "stopped")
    .execute();
}

/** Sets the token version for the next deployment, unless it is higher already. */
export async function raiseTokenVersion(
  db: Kysely<DB>,
  { instanceId }: Pick<Named, "instanceId">,
  version: number,
): Promise<void> {
  await db
    .updateTable("tenantry.instances")
    .set({ token_version: version })
    .where("id", "=", instanceId)
    .where("token_version", "<", version)
    .execute();
}
