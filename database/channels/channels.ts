import type { Kysely } from "kysely";
import { sql } from "kysely";
import * as z from "zod";
import { type ChannelFault, channelFaults, channelState } from "#domain/channels/channel.ts";
import { type ChannelKind, messengerOf, termsOf } from "#domain/channels/kinds.ts";
import { channel } from "#domain/entities/channel.ts";
import { type Row, rowOf } from "#domain/entities/entity.ts";
import type { Environment } from "#domain/environment.ts";
import type { DB } from "../types.ts";

export type ListedChannel = Row<typeof channel>;
const row = rowOf(channel.omit({ state: true, account: true, transport: true }));
const stored = z.object({
  fault: z.enum(channelFaults).nullable(),
  account_id: z.string(),
  account_name: z.string(),
});

function selectChannels(db: Kysely<DB>, environment: Environment) {
  return db
    .selectFrom("tenantry.channels as h")
    .leftJoin("tenantry.doors as d", "d.id", "h.door_id")
    .select(["h.id", "h.instance_id", "h.kind", "h.door_id", "h.account_id", "h.account_name", "h.fault"])
    .select(["h.last_error", "h.checked_at", "h.pushed_at", "h.connected_at", "h.created_by", "h.created_at"])
    .select(["h.token_replaced_at", "h.updated_at", "h.version", "d.last_used_at as last_received_at"])
    .where("h.environment", "=", environment);
}

function listed(found: unknown): ListedChannel {
  const columns = row.parse(found);
  const { fault, account_id, account_name } = stored.parse(found);
  const { transport } = termsOf(columns.kind);
  const account = { id: account_id, name: account_name };
  return { ...columns, transport, account, state: channelState({ ...columns, fault }) };
}

/** Returns an instance's channels, oldest first. */
export async function listChannels(
  db: Kysely<DB>,
  environment: Environment,
  instanceId: string,
): Promise<ListedChannel[]> {
  const found = await selectChannels(db, environment)
    .where("h.instance_id", "=", instanceId)
    .orderBy("h.created_at")
    .orderBy("h.id")
    .execute();
  return found.map(listed);
}

type Where = { id: string } | { doorId: string } | { kind: ChannelKind; accountId: string };

/** Returns a channel that the caller has access to. */
export async function findChannel(
  db: Kysely<DB>,
  environment: Environment,
  where: Where,
): Promise<ListedChannel | undefined> {
  const query = selectChannels(db, environment);
  const found = await ("id" in where
    ? query.where("h.id", "=", where.id)
    : "doorId" in where
      ? query.where("h.door_id", "=", where.doorId)
      : query.where("h.messenger", "=", messengerOf(where.kind)).where("h.account_id", "=", where.accountId)
  ).executeTakeFirst();
  return found && listed(found);
}

/** Returns the encrypted credentials, which no response returns. */
export async function readCredentials(db: Kysely<DB>, id: string): Promise<Buffer | undefined> {
  const found = await db.selectFrom("tenantry.channels").select("credentials").where("id", "=", id).executeTakeFirst();
  return found?.credentials;
}

export interface NewChannel {
  id: string;
  environment: Environment;
  instanceId: string;
  kind: ChannelKind;
  /** Null for a socket channel. */
  doorId: string | null;
  account: ListedChannel["account"];
  /** Encrypted. */
  credentials: Buffer;
  createdBy: string;
}

export async function insertChannel(db: Kysely<DB>, created: NewChannel): Promise<void> {
  const { id, environment, instanceId, kind, doorId, account, credentials, createdBy } = created;
  await db
    .insertInto("tenantry.channels")
    .values({
      ...{ id, environment, kind, credentials, instance_id: instanceId, door_id: doorId },
      ...{ account_id: account.id, account_name: account.name, created_by: createdBy },
    })
    .execute();
}

const NO_FAULT = { fault: null, last_error: null } as const;

/** Stores another token, which the tenant does not have yet. */
export async function replaceCredentials(
  db: Kysely<DB>,
  id: string,
  { credentials, account }: Pick<NewChannel, "credentials" | "account">,
): Promise<void> {
  const now = sql<Date>`now()`;
  await db
    .updateTable("tenantry.channels")
    .set({ credentials, account_name: account.name, token_replaced_at: now, checked_at: now, pushed_at: null })
    .set(NO_FAULT)
    .where("id", "=", id)
    .execute();
}

type Checked = Pick<NewChannel, "id" | "credentials">;

/** Stores that the vendor accepts a token, unless it was replaced meanwhile. @param faults that this ends */
export async function recordAccepted(
  db: Kysely<DB>,
  { id, credentials }: Checked,
  name: string,
  faults: readonly ChannelFault[],
): Promise<void> {
  const kept = <K extends "fault" | "last_error">(column: K) =>
    sql<null>`case when fault = any(${[...faults]}::text[]) then null else ${sql.ref(column)} end`;
  await db
    .updateTable("tenantry.channels")
    .set({ account_name: name, checked_at: sql<Date>`now()`, fault: kept("fault"), last_error: kept("last_error") })
    .where("id", "=", id)
    .where("credentials", "=", credentials)
    .execute();
}

/** Stores a fault of a token, unless it was replaced meanwhile. */
export async function recordFault(
  db: Kysely<DB>,
  { id, credentials }: Checked,
  fault: ChannelFault,
  error: string,
): Promise<void> {
  await db
    .updateTable("tenantry.channels")
    .set({ fault, last_error: error })
    .where("id", "=", id)
    .where("credentials", "=", credentials)
    .execute();
}

export async function recordConnected(db: Kysely<DB>, id: string): Promise<void> {
  await db
    .updateTable("tenantry.channels")
    .set({ connected_at: sql<Date>`now()` })
    .where("id", "=", id)
    .where("connected_at", "is", null)
    .execute();
}

export async function deleteChannel(db: Kysely<DB>, id: string): Promise<void> {
  await db.deleteFrom("tenantry.channels").where("id", "=", id).execute();
}
