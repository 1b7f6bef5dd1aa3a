/** Queries on clients. They take any Kysely instance on the platform's database, in Node and in a Worker alike. */
import type { Kysely } from "kysely";
import * as z from "zod";
import { type Environment, environments } from "../domain/environment.ts";
import { clientStates, instanceStates } from "../domain/instance-state.ts";
import { plans } from "../domain/plan.ts";
import { ofEnvironment, ownerOf } from "./not-migrated.ts";
import type { DB } from "./types.ts";

const DEFAULT_PAGE = 100;

const listedClient = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  billingPlan: z.enum(plans),
  status: z.enum(clientStates),
  /** Null for an internal client. */
  partner: z.object({ id: z.uuid(), slug: z.string(), name: z.string() }).nullable(),
  /** Null until the client has one. */
  instance: z
    .object({
      id: z.uuid(),
      status: z.enum(instanceStates),
      environment: z.enum(environments),
      /** The AI gateway it binds, by its id at Cloudflare; `pooled` when it is shared. */
      aiGateway: z.object({ id: z.string(), pooled: z.boolean() }).nullable(),
    })
    .nullable(),
});
/** A client as lists show it. */
export type ListedClient = z.infer<typeof listedClient>;

/**
 * A page of an environment's clients in the order of their slugs.
 *
 * @param options.partnerId only this partner's clients; all when left out
 * @param options.after only slugs after this one: the last slug of the page before
 * @param options.limit most clients to return; default 100
 */
export async function listClients(
  db: Kysely<DB>,
  environment: Environment,
  options: { partnerId?: string; after?: string; limit?: number } = {},
): Promise<ListedClient[]> {
  let query = db
    .selectFrom("tenantry.clients as c")
    .leftJoin("tenantry.partners as p", "p.id", "c.partner_id")
    .leftJoin("tenantry.instances as i", "i.client_id", "c.id")
    .select(["c.id", "c.slug", "c.name", "c.billing_plan", "c.status"])
    .select(["p.id as partner_id", "p.slug as partner_slug", "p.name as partner_name"])
    .select(["i.id as instance_id", "i.status as instance_status", "i.environment"])
    .select(["i.ai_gateway_id", "i.ai_gateway_pool_id"])
    .where("c.environment", "=", environment)
    .orderBy("c.slug")
    .limit(options.limit ?? DEFAULT_PAGE);
  if (options.partnerId !== undefined) query = query.where("c.partner_id", "=", options.partnerId);
  if (options.after !== undefined) query = query.where("c.slug", ">", options.after);
  const rows = await query.execute();
  return rows.map((row) =>
    listedClient.parse({
      id: row.id,
      slug: row.slug,
      name: row.name,
      billingPlan: row.billing_plan,
      status: row.status,
      partner: row.partner_id && { id: row.partner_id, slug: row.partner_slug, name: row.partner_name },
      instance: row.instance_id && {
        id: row.instance_id,
        status: row.instance_status,
        environment: row.environment,
        aiGateway: row.ai_gateway_id && { id: row.ai_gateway_id, pooled: row.ai_gateway_pool_id !== null },
      },
    }),
  );
}

/** What a run is planned with. */
export interface KnownClient {
  plan: string;
  /** Slug of the partner that it belongs to; `undefined` for an internal client. */
  partner: string | undefined;
  /** The stack that has it, as a URN; `undefined` for nobody's. */
  owner: string | undefined;
}

/** Every client of an environment by its slug. */
export async function knownClients(db: Kysely<DB>, environment: Environment): Promise<Record<string, KnownClient>> {
  const rows = await db
    .selectFrom("tenantry.clients as c")
    .leftJoin("tenantry.partners as p", "p.id", "c.partner_id")
    .select(["c.slug", "c.billing_plan", "p.slug as partner", ownerOf("c")])
    .where(ofEnvironment("c", environment))
    .execute();
  return Object.fromEntries(
    rows.map(({ slug, billing_plan, partner, owner }) => [
      slug,
      { plan: billing_plan, partner: partner ?? undefined, owner: owner ?? undefined },
    ]),
  );
}
