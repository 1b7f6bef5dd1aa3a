/** Pushes of channels to their tenants, by the automation service. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { type ChannelKind, channelKinds } from "#domain/channels/kinds.ts";
import type { Environment } from "#domain/environment.ts";
import type { DB } from "../types.ts";
import { requestJob } from "../work/job-request.ts";

export interface SealedChannel {
  id: string;
  /** Encrypted. */
  credentials: Buffer;
}

/** Returns what the tenant of an instance is to receive. */
export async function channelsToPush(db: Kysely<DB>, instanceId: string): Promise<SealedChannel[]> {
  return db
    .selectFrom("tenantry.channels")
    .select(["id", "credentials"])
    .where("instance_id", "=", instanceId)
    .orderBy("kind")
    .execute();
}

export interface EndedChannel extends SealedChannel {
  kind: ChannelKind;
  account_name: string;
}

const kind = z.enum(channelKinds);

/** Returns the channels of an instance that is removed. */
export async function listEndedChannels(db: Kysely<DB>, instanceId: string): Promise<EndedChannel[]> {
  const found = await db
    .selectFrom("tenantry.channels")
    .select(["id", "credentials", "kind", "account_name"])
    .where("instance_id", "=", instanceId)
    .orderBy("kind")
    .execute();
  return found.map((one) => ({ ...one, kind: kind.parse(one.kind) }));
}

export interface CheckedChannel extends SealedChannel {
  kind: ChannelKind;
  fault: string | null;
  account_name: string;
  clientId: string;
  instanceId: string;
  /** When the tenant received the present token. */
  pushedAt: Date | null;
  /** When a verified request of the vendor last arrived. */
  lastReceivedAt: Date | null;
}

/** Whether an ID is of an hour of the day: each hour has about as many. */
const isOfHour = (id: string, hour: number) =>
  sql<boolean>`('x' || left(md5(${sql.ref(id)}::text), 6))::bit(24)::int % 24 = ${hour}`;

/** Returns the channels that are checked in an hour of the day, of instances that may run. Vendors of IRC cannot be asked. */
export async function channelsToCheck(
  db: Kysely<DB>,
  environment: Environment,
  hour: number,
): Promise<CheckedChannel[]> {
  const found = await db
    .selectFrom("tenantry.channels as h")
    .innerJoin("tenantry.instances as i", "i.id", "h.instance_id")
    .leftJoin("tenantry.doors as d", "d.id", "h.door_id")
    .select(["h.id", "h.credentials", "h.kind", "h.fault", "h.account_name", "i.client_id as clientId"])
    .select(["i.id as instanceId", "h.pushed_at as pushedAt", "d.last_used_at as lastReceivedAt"])
    .where("h.environment", "=", environment)
    .where("h.kind", "<>", "irc")
    .where("i.status", "not in", ["frozen", "stopped"])
    .where(isOfHour("h.id", hour))
    .orderBy("h.checked_at")
    .execute();
  return found.map((one) => ({ ...one, kind: kind.parse(one.kind) }));
}

const missedIn = (table: "channels" | "provider_keys") =>
  sql<boolean>`exists (select from ${sql.table(`tenantry.${table}`)} h
    where h.instance_id = i.id and (h.pushed_at is null or h.fault = 'push_failed'))`;

/** A kind of job that sends a tenant what it stores, and whether the tenant of an instance `i` did not receive it. */
const PUSHES = {
  push_channels: missedIn("channels"),
  push_provider_keys: missedIn("provider_keys"),
  push_egress: sql<boolean>`(i.egress_fault is not null or tenantry.wanted_egress(i.id) is distinct from i.egress_revision)`,
} as const;

/**
 * Requests again what running tenants did not receive, for the tenants of an hour of the day: their Worker may have been of an earlier version, or the
 * job may have missed its deadline.
 *
 * @returns the number of requests
 */
export async function requestMissedPushes(db: Kysely<DB>, environment: Environment, hour: number): Promise<number> {
  let requested = 0;
  for (const kind of ["push_channels", "push_provider_keys", "push_egress"] as const) {
    const missed = await db
      .selectFrom("tenantry.instances as i")
      .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
      .select(["i.id as instanceId", "c.id as clientId", "c.slug"])
      .where("i.environment", "=", environment)
      .where("i.status", "=", "running")
      .where(isOfHour("i.id", hour))
      .where(PUSHES[kind])
      .where(
        sql<boolean>`not exists (select from tenantry.jobs j
          where j.instance_id = i.id and j.kind = ${kind} and j.ended_at is null)`,
      )
      .execute();
    for (const one of missed) await requestJob(db, { ...one, kind, environment, requestedBy: "service" });
    requested += missed.length;
  }
  return requested;
}

/** Stores that the tenant has channels, except those whose credentials were replaced or encrypted again meanwhile. @returns whether it stored all */
export async function recordPushed(db: Kysely<DB>, pushed: readonly SealedChannel[]): Promise<boolean> {
  let stored = 0n;
  for (const { id, credentials } of pushed) {
    const { numUpdatedRows } = await db
      .updateTable("tenantry.channels")
      .set((e) => ({
        pushed_at: sql<Date>`now()`,
        fault: e.case().when("fault", "=", "push_failed").then(null).else(e.ref("fault")).end(),
        last_error: e.case().when("fault", "=", "push_failed").then(null).else(e.ref("last_error")).end(),
      }))
      .where("id", "=", id)
      .where("credentials", "=", credentials)
      .executeTakeFirst();
    stored += numUpdatedRows;
  }
  return stored === BigInt(pushed.length);
}

/** Stores that a push failed. A rejected token stays the channel's fault. */
export async function recordPushFailed(db: Kysely<DB>, instanceId: string, error: string): Promise<void> {
  await db
    .updateTable("tenantry.channels")
    .set({ fault: "push_failed", last_error: error })
    .where("instance_id", "=", instanceId)
    .where((e) => e.or([e("fault", "is", null), e("fault", "=", "push_failed")]))
    .execute();
}
