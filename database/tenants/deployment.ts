/** Tenants as the automation service deploys them, and what becomes of their instances by that; every query is the service's. */
import type { Kysely } from "kysely";
import * as z from "zod";
import { type Plan, plans } from "#domain/plans/plan.ts";
import { type ClientState, clientStates } from "#domain/tenants/instance-state.ts";
import type { DB } from "../types.ts";
import { tellEvent } from "../work/events.ts";
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
  /** Of the AI gateway that it binds; null where it binds none. */
  gatewayId: string | null;
  tokenVersion: number;
  /** Id of the image that it is wanted to run, and how the image is called; null for the platform's. */
  imageId: string | null;
  image: string | null;
  /** Id of the Worker that it is wanted to run; null for the service's own. */
  bundleId: string | null;
  /** Whether it was never deployed. */
  isNew: boolean;
}

const row = z.object({
  billing_plan: z.enum(plans),
  client_status: z.enum(clientStates),
  generation: z.coerce.bigint(),
});

/** Who declares an instance: the dashboard, which is deployed to by jobs, or Git as well. */
export type Owner = "dashboard" | "anybody";

/** The tenant of a job's instance; `undefined` when it is gone, or not that owner's. @param owner default: the dashboard */
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
    .select(["c.id as client_id", "c.slug", "c.name", "c.billing_plan", "c.status as client_status"])
    .select(["i.image_id", "m.reference", "i.bundle_id"])
    .select(["i.id as instance_id", "i.status", "i.generation", "i.ai_gateway_id", "i.token_version", "i.access_aud"])
    .where("i.id", "=", instance_id)
    .where("i.managed_by", "in", owner === "dashboard" ? ["dashboard"] : ["dashboard", "git"])
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { billing_plan: plan, client_status: clientStatus, generation } = row.parse(found);
  return {
    clientId: found.client_id,
    instanceId: found.instance_id,
    slug: found.slug,
    name: found.name,
    plan,
    clientStatus,
    status: found.status,
    generation,
    gatewayId: found.ai_gateway_id,
    tokenVersion: found.token_version,
    imageId: found.image_id,
    image: found.reference,
    bundleId: found.bundle_id,
    isNew: found.access_aud === null,
  };
}

type Named = Pick<DeployableTenant, "clientId" | "instanceId" | "slug" | "generation">;

/** Takes an instance whose provisioning failed to `error`. @returns whether it was still of that generation, and being provisioned */
export async function failProvisioning(db: Kysely<DB>, tenant: Named, cause: string): Promise<boolean> {
  const { clientId, instanceId, slug, generation } = tenant;
  return db.transaction().execute(async (tx) => {
    const failure = { instance: { id: instanceId, generation }, cause: "deploy failed", stateCause: cause } as const;
    if ((await changeStatus(tx, failure)) === undefined) return false;
    await tellEvent(tx, {
      client_id: clientId,
      kind: "instance.failed",
      data: { instance_id: instanceId, slug, cause },
    });
    return true;
  });
}

/** Says why an instance is as it is, while it is of that generation. */
export async function noteCause(
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

/** Has an instance keep its slot of the pool, whatever it binds from now on, until its move ends (the database's `job_settled`). */
export async function holdSlot(db: Kysely<DB>, { instanceId }: Pick<Named, "instanceId">): Promise<void> {
  await db
    .updateTable("tenantry.instances")
    .set((e) => ({ held_pool_id: e.ref("ai_gateway_pool_id") }))
    .where("id", "=", instanceId)
    .where("held_pool_id", "is", null)
    .execute();
}

/** Deletes the row of an instance whose stack is gone, where it never had the row: nobody made it, or it failed before. */
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

/** Has the instance's token be of that version from its next deployment on; a later one stays. */
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
