import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { client } from "#domain/entities/client.ts";
import { rowOf } from "#domain/entities/entity.ts";
import { instance } from "#domain/entities/instance.ts";
import type { Environment } from "#domain/environment.ts";
import type { Plan } from "#domain/plans/plan.ts";
import { type ApiFieldValues, bodyOfFields, clientFieldColumns, readClientFields } from "#domain/settings/client.ts";
import type { ClientState, InstanceState } from "#domain/tenants/instance-state.ts";
import { type Order, type Page, type Place, selectPage } from "../cursor.ts";
import { managerOf, ofEnvironment, ownerOf } from "../not-migrated.ts";
import type { DB } from "../types.ts";
import { freezeCauses } from "./operation.ts";

const row = rowOf(
  client
    .pick({ id: true, slug: true, name: true, billing_plan: true, status: true, managed_by: true, partner: true })
    .extend(client.pick({ delete_after: true, created_at: true, updated_at: true, version: true }).shape)
    .extend({
      /** The stack that has it, as a URN; null for none. */
      owner: z.string().nullable(),
      instance: instance
        .pick({ id: true, status: true, environment: true, ai_gateway: true })
        .extend({ frozen_for: z.enum(freezeCauses).nullable(), frozen_by: z.string().nullable() })
        .nullable(),
      /** The kind of caller that deleted it, `service` for credit; null while it is not being deleted. */
      deletion_by: z.string().nullable(),
      /** `created_at` as PostgreSQL writes it, for cursors. */
      created_text: z.string(),
    }),
);
/** A client as lists show it. */
export type ListedClient = z.infer<typeof row> & ApiFieldValues;

export interface ClientFilter {
  status?: ClientState | undefined;
  billingPlan?: Plan | undefined;
  instanceStatus?: InstanceState | undefined;
  partnerId?: string | undefined;
  search?: string | undefined;
}

const ORDERS = { slug: "text", created_at: "timestamptz" } as const;
export type ClientOrder = Order & { column: keyof typeof ORDERS };

function selectClients(db: Kysely<DB>, environment: Environment) {
  return (
    db
      .selectFrom("tenantry.clients as c")
      .leftJoin("tenantry.partners as p", "p.id", "c.partner_id")
      .leftJoin("tenantry.instances as i", "i.client_id", "c.id")
      .select(["c.id", "c.slug", "c.name", "c.billing_plan", "c.status", "c.managed_by", "c.owner"])
      .select(["c.delete_after", "c.deletion_by", "c.created_at", "c.updated_at", "c.version"])
      .select(clientFieldColumns.map((column) => `c.${column}` as const))
      // A Date has no microseconds.
      .select(sql<string>`c.created_at::text`.as("created_text"))
      .select(["p.id as partner_id", "p.slug as partner_slug", "p.name as partner_name"])
      .select(["i.id as instance_id", "i.status as instance_status", "i.environment as instance_environment"])
      .select(["i.ai_gateway_id", "i.ai_gateway_pool_id", "i.frozen_for", "i.frozen_by"])
      .where("c.environment", "=", environment)
  );
}

type SelectedClient = Awaited<ReturnType<ReturnType<typeof selectClients>["execute"]>>[number];

function toListed(selected: SelectedClient): ListedClient {
  const { instance_id, instance_status, instance_environment, ai_gateway_id, partner_id, ...rest } = selected;
  return {
    ...row.parse({
      ...rest,
      partner: partner_id && { id: partner_id, slug: rest.partner_slug, name: rest.partner_name },
      instance: instance_id && {
        id: instance_id,
        status: instance_status,
        environment: instance_environment,
        ai_gateway: ai_gateway_id && { id: ai_gateway_id, pool_id: rest.ai_gateway_pool_id },
        frozen_for: rest.frozen_for,
        frozen_by: rest.frozen_by,
      },
    }),
    ...bodyOfFields(readClientFields(selected)),
  };
}

export async function findClient(
  db: Kysely<DB>,
  environment: Environment,
  id: string,
): Promise<ListedClient | undefined> {
  const found = await selectClients(db, environment).where("c.id", "=", id).executeTakeFirst();
  return found && toListed(found);
}

/** Returns a page of the clients that the caller sees. */
export async function listClients(
  db: Kysely<DB>,
  environment: Environment,
  page: Page & { order: ClientOrder; filter?: ClientFilter },
): Promise<ListedClient[]> {
  const { order, filter = {} } = page;
  let query = selectPage(selectClients(db, environment), { table: "c", order, type: ORDERS[order.column] }, page);
  if (filter.status !== undefined) query = query.where("c.status", "=", filter.status);
  if (filter.billingPlan !== undefined) query = query.where("c.billing_plan", "=", filter.billingPlan);
  if (filter.instanceStatus !== undefined) query = query.where("i.status", "=", filter.instanceStatus);
  if (filter.partnerId !== undefined) query = query.where("c.partner_id", "=", filter.partnerId);
  if (filter.search !== undefined) {
    const part = `%${filter.search.replaceAll(/[\\%_]/g, "\\$&")}%`;
    query = query.where((e) => e.or([e("c.slug", "ilike", part), e("c.name", "ilike", part)]));
  }
  return (await query.execute()).map(toListed);
}

/** What is counted of a client. */
export type ClientSummary = Pick<ListedClient, "id" | "slug" | "name" | "status" | "partner" | "created_at"> & {
  /** Null without an instance. */
  instanceStatus: InstanceState | null;
  isReused: boolean;
};

export async function summarizeClients(db: Kysely<DB>, environment: Environment): Promise<ClientSummary[]> {
  const [selected, reused] = await Promise.all([
    selectClients(db, environment).execute(),
    db
      .selectFrom("tenantry.billing_accounts")
      .select("slug")
      .distinct()
      .where("environment", "=", environment)
      .where("closed_at", "is not", null)
      .execute(),
  ]);
  const closed = new Set(reused.map(({ slug }) => slug));
  return selected.map(toListed).map(({ id, slug, name, status, partner, created_at, instance }) => ({
    isReused: closed.has(slug),
    id,
    slug,
    name,
    status,
    partner,
    created_at,
    instanceStatus: instance?.status ?? null,
  }));
}

export function placeOf(client: ListedClient, { column }: ClientOrder): Place {
  return [column === "slug" ? client.slug : client.created_text, client.id];
}

export async function countClients(db: Kysely<DB>, environment: Environment): Promise<number> {
  const { total } = await db
    .selectFrom("tenantry.clients")
    .select((e) => e.fn.countAll().as("total"))
    .where("environment", "=", environment)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Whether any client of the caller's environment has a slug, visible to the caller or not. */
export async function isSlugTaken(db: Kysely<DB>, slug: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select tenantry.slug_is_taken(${slug}) as taken`.execute(db);
  return rows[0]?.taken === true;
}

export interface DeletedHolder {
  id: string;
  name: string;
  deleteAfter: Date;
}

/** Returns the deleted client that holds a slug, if the caller sees it. */
export async function findDeletedHolder(
  db: Kysely<DB>,
  environment: Environment,
  slug: string,
): Promise<DeletedHolder | undefined> {
  const found = await db
    .selectFrom("tenantry.clients")
    .select(["id", "name", "delete_after"])
    .where("environment", "=", environment)
    .where("slug", "=", slug)
    .executeTakeFirst();
  if (found === undefined || found.delete_after === null) return undefined;
  return { id: found.id, name: found.name, deleteAfter: found.delete_after };
}

export interface MeteredClient {
  id: string;
  /** Start of the client's use of the slug. */
  createdAt: Date;
  isReused: boolean;
}

export async function meteredClients(db: Kysely<DB>, environment: Environment): Promise<Map<string, MeteredClient>> {
  const rows = await db
    .selectFrom("tenantry.clients as c")
    .select(["c.slug", "c.id", "c.created_at"])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("tenantry.billing_accounts as a")
          .select("a.id")
          .whereRef("a.environment", "=", "c.environment")
          .whereRef("a.slug", "=", "c.slug")
          .where("a.closed_at", "is not", null),
      ).as("is_reused"),
    )
    .where("c.environment", "=", environment)
    .orderBy("c.slug")
    .execute();
  return new Map(
    rows.map(({ slug, id, created_at: createdAt, is_reused }) => [
      slug,
      { id, createdAt, isReused: is_reused === true },
    ]),
  );
}

export interface KnownClient {
  id: string;
  plan: string;
  partner: string | undefined;
  owner: string | undefined;
  isDashboards: boolean;
  createdAt: Date;
  hasInstance: boolean;
  /** End of a deleted client's grace period. */
  deleteAfter?: Date;
}

export async function knownClients(db: Kysely<DB>, environment: Environment): Promise<Record<string, KnownClient>> {
  const rows = await db
    .selectFrom("tenantry.clients as c")
    .leftJoin("tenantry.partners as p", "p.id", "c.partner_id")
    .leftJoin("tenantry.instances as i", "i.client_id", "c.id")
    .select(["c.id", "c.slug", "c.billing_plan", "c.created_at", "p.slug as partner", ownerOf("c"), managerOf("c")])
    .select("i.id as instance_id")
    // The first release had no such column.
    .select(sql<string | null>`to_jsonb(c) ->> 'delete_after'`.as("delete_after"))
    .where(ofEnvironment("c", environment))
    .execute();
  return Object.fromEntries(
    rows.map(({ id, slug, billing_plan, partner, owner, managed_by, created_at: createdAt, delete_after, ...row }) => [
      slug,
      {
        id,
        plan: billing_plan,
        partner: partner ?? undefined,
        owner: owner ?? undefined,
        isDashboards: managed_by === "dashboard",
        createdAt,
        hasInstance: row.instance_id !== null,
        ...(delete_after !== null && { deleteAfter: new Date(delete_after) }),
      },
    ]),
  );
}

/** Counts an environment's earlier clients by slug. */
export async function earlierClients(db: Kysely<DB>, environment: Environment): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom("tenantry.billing_accounts")
    .select((e) => ["slug", e.fn.countAll().as("earlier")])
    .where("environment", "=", environment)
    .where("closed_at", "is not", null)
    .groupBy("slug")
    .execute();
  return Object.fromEntries(rows.map(({ slug, earlier }) => [slug, Number(earlier)]));
}

/** Counts earlier clients with a client's slug. */
export async function earlierClientsOf(db: Kysely<DB>, clientId: string): Promise<number> {
  const { rows } = await sql<{ earlier: string }>`select tenantry.earlier_clients(${clientId}) as earlier`.execute(db);
  return Number(rows[0]?.earlier ?? 0);
}
