/** Manager (Git or the dashboard) and owning stack of a tenant. Only the provisioner changes them, while no operation is open; roots read them. */
import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { type Manager, managers } from "#domain/entities/entity.ts";
import { type Environment, environments } from "#domain/environment.ts";
import { type Plan, plans } from "#domain/plans/plan.ts";
import { type ClientState, clientStates, type InstanceState, instanceStates } from "#domain/tenants/instance-state.ts";
import { stackOf } from "#domain/tenants/owner.ts";
import type { DB } from "../types.ts";
import { lockClient } from "./client-changes.ts";

export interface TenantRows {
  clientId: string;
  slug: string;
  environment: Environment;
  name: string;
  plan: Plan;
  status: ClientState;
  managedBy: Manager;
  owner: string | null;
  partner: string | null;
  /** Whether it is in the grace period after a deletion. */
  isDeleted: boolean;
  instance: {
    id: string;
    status: InstanceState;
    managedBy: Manager;
    owner: string | null;
    gatewayId: string | null;
    tokenVersion: number;
    /** Reference of the desired image; null for the platform's. */
    image: string | null;
  } | null;
}

export interface OpenJob {
  id: string;
  kind: string;
  status: string;
}

const manager = z.enum(managers);
const client = z.object({
  billing_plan: z.enum(plans),
  client_status: z.enum(clientStates),
  client_manager: manager,
  environment: z.enum(environments),
});
const instance = z.object({
  instance_status: z.enum(instanceStates),
  instance_manager: manager,
  token_version: z.number(),
});

export async function findTenantRows(
  db: Kysely<DB>,
  environment: Environment,
  slug: string,
): Promise<TenantRows | undefined> {
  const found = await db
    .selectFrom("tenantry.clients as c")
    .leftJoin("tenantry.partners as p", "p.id", "c.partner_id")
    .leftJoin("tenantry.instances as i", "i.client_id", "c.id")
    .leftJoin("tenantry.images as m", "m.id", "i.image_id")
    .select(["c.id", "c.slug", "c.environment", "c.name", "c.billing_plan", "c.status as client_status", "c.owner"])
    .select(["c.managed_by as client_manager", "c.delete_after", "p.slug as partner", "i.id as instance_id"])
    .select(["i.status as instance_status", "i.managed_by as instance_manager", "i.owner as instance_owner"])
    .select(["i.ai_gateway_id", "i.token_version", "m.reference as image"])
    .where("c.environment", "=", environment)
    .where("c.slug", "=", slug)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const row = client.parse(found);
  return {
    clientId: found.id,
    slug: found.slug,
    environment: row.environment,
    name: found.name,
    plan: row.billing_plan,
    status: row.client_status,
    managedBy: row.client_manager,
    owner: found.owner,
    partner: found.partner,
    isDeleted: found.delete_after !== null,
    instance: found.instance_id === null ? null : { id: found.instance_id, ...instanceOf(found) },
  };
}

function instanceOf(found: { ai_gateway_id: string | null; instance_owner: string | null; image: string | null }) {
  const { instance_status: status, instance_manager: managedBy, token_version: tokenVersion } = instance.parse(found);
  const { instance_owner: owner, ai_gateway_id: gatewayId, image } = found;
  return { status, managedBy, tokenVersion, owner, gatewayId, image };
}

/** Jobs that only send Workers what the database holds, whatever stack owns the tenant. */
const INDEPENDENT = ["invalidate", "push_channels", "push_provider_keys", "push_egress"];

export type TenantChange = (tx: Transaction<DB>, rows: TenantRows, open: readonly OpenJob[]) => Promise<void>;

/**
 * Changes a tenant's manager or stack with its rows locked. The dashboard locks them in the same order before it requests an operation, so no
 * operation can start meanwhile.
 * @param change gets the locked rows and the open operations
 * @returns whether the client exists
 */
export async function changeTenantRows(
  db: Kysely<DB>,
  { clientId, environment, slug }: Pick<TenantRows, "clientId" | "environment" | "slug">,
  change: TenantChange,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockClient(tx, clientId);
    await tx.selectFrom("tenantry.instances").select("id").where("client_id", "=", clientId).forUpdate().execute();
    const rows = await findTenantRows(tx, environment, slug);
    if (rows === undefined) return false;
    const open = await tx
      .selectFrom("tenantry.jobs")
      .select(["id", "kind", "status"])
      .where("client_id", "=", clientId)
      .where("ended_at", "is", null)
      .where("kind", "not in", INDEPENDENT)
      .orderBy("created_at")
      .execute();
    await change(tx, rows, [...open, ...(await openRollouts(tx, clientId))]);
    return true;
  });
}

/** Returns rollouts that may still change the tenant, or revert it. */
async function openRollouts(tx: Transaction<DB>, clientId: string): Promise<OpenJob[]> {
  const found = await tx
    .selectFrom("tenantry.rollouts as r")
    .innerJoin("tenantry.rollout_tenants as t", "t.rollout_id", "r.id")
    .innerJoin("tenantry.instances as i", "i.id", "t.instance_id")
    .select(["r.id", "r.status"])
    .where("i.client_id", "=", clientId)
    .where("r.ended_at", "is", null)
    .where("t.status", "<>", "skipped")
    .execute();
  return found.map(({ id, status }) => ({ id, kind: "a rollout", status }));
}

export interface Deployed {
  tokenVersion: number;
  image: string | undefined;
}

/** Sets a tenant's manager. @param deployed default: unchanged @returns false without changes if the catalog lacks the image */
export async function setManager(
  tx: Transaction<DB>,
  { clientId, environment }: Pick<TenantRows, "clientId" | "environment">,
  managed_by: Manager,
  deployed?: Deployed,
): Promise<boolean> {
  const values = deployed === undefined ? {} : await wantedBy(tx, environment, deployed);
  if (values === undefined) return false;
  await tx.updateTable("tenantry.clients").set({ managed_by }).where("id", "=", clientId).execute();
  await tx
    .updateTable("tenantry.instances")
    .set({ managed_by, ...values })
    .where("client_id", "=", clientId)
    .execute();
  for (const { id } of await declaredDoors(tx, clientId)) {
    await tx.updateTable("tenantry.doors").set({ managed_by }).where("id", "=", id).execute();
  }
  return true;
}

/** Returns the doors of a client that its stack declares. The dashboard's have no owner. */
const declaredDoors = (tx: Transaction<DB>, clientId: string) =>
  tx
    .selectFrom("tenantry.doors as d")
    .innerJoin("tenantry.instances as i", "i.id", "d.instance_id")
    .select(["d.id", "d.owner"])
    .where("i.client_id", "=", clientId)
    .where("d.owner", "is not", null)
    .execute();

async function wantedBy(tx: Transaction<DB>, environment: Environment, { tokenVersion, image }: Deployed) {
  // The Worker is that of the deploying stack or service.
  const values = { token_version: tokenVersion, bundle_id: null };
  if (image === undefined) return { ...values, image_id: null };
  const found = await tx
    .selectFrom("tenantry.images")
    .select("id")
    .where("environment", "=", environment)
    .where("reference", "=", image)
    .executeTakeFirst();
  return found && { ...values, image_id: found.id };
}

/** Sets the stack that owns a tenant's rows. @param stack `{project}/{stack}` */
export async function setOwningStack(
  tx: Transaction<DB>,
  { clientId, owner, instance: own }: Pick<TenantRows, "clientId" | "owner" | "instance">,
  stack: string,
): Promise<void> {
  const [project, name] = stack.split("/");
  const moved = (urn: string) => urn.replace(/^urn:pulumi:[^:]+::[^:]+::/, `urn:pulumi:${name}::${project}::`);
  if (owner !== null && stackOf(owner) !== undefined) {
    const values = { owner: moved(owner) };
    await tx.updateTable("tenantry.clients").set(values).where("id", "=", clientId).execute();
  }
  if (own?.owner && stackOf(own.owner) !== undefined) {
    const values = { owner: moved(own.owner) };
    await tx.updateTable("tenantry.instances").set(values).where("client_id", "=", clientId).execute();
  }
  for (const { id, owner: found } of await declaredDoors(tx, clientId)) {
    const values = { owner: found && moved(found) };
    await tx.updateTable("tenantry.doors").set(values).where("id", "=", id).execute();
  }
}

/** Prevents other handovers of a tenant until the connection ends. @returns false if one is in progress */
export async function tryLockHandover(db: Kysely<DB>, environment: Environment, slug: string): Promise<boolean> {
  const name = `tenantry.hand_over/${environment}/${slug}`;
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_lock(hashtextextended(${name}, 0)) as locked`.execute(db);
  return rows[0]?.locked === true;
}
