import { type Expression, type Kysely, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import * as z from "zod";
import { type Page, type Place, selectPage } from "../cursor.ts";
import type { DB } from "../types.ts";

const statuses = ["invited", "validated", "rejected"] as const;
export type ClientUserStatus = (typeof statuses)[number];

export interface ListedClientUser {
  id: string;
  clientId: string;
  email: string;
  name: string;
  role: "ADMIN" | "BASE_USER";
  status: ClientUserStatus;
  validatedAt: Date | null;
  accessIdentity: { email: string; accepted_at: string; [more: string]: unknown } | null;
  instanceIds: string[];
  expiresAt: Date | null;
  /** Whether the user can still respond to the invitation. */
  isOpen: boolean;
  mailStatus: "queued" | "sent" | "bounced" | "failed" | null;
  createdAt: Date;
  /** `createdAt` in PostgreSQL's precision, for cursors. */
  createdText: string;
  updatedAt: Date;
  version: number;
}

const row = z.object({
  role: z.enum(["ADMIN", "BASE_USER"]),
  status: z.enum(statuses),
  mail_status: z.enum(["queued", "sent", "bounced", "failed"]).nullable(),
  // Null if something else wrote another shape.
  cf_access_identity: z.looseObject({ email: z.string(), accepted_at: z.string() }).nullable().catch(null),
});

const ORDER = { column: "created_at", direction: "desc" } as const;

function selectClientUsers(db: Kysely<DB>, clientId: string) {
  return db
    .selectFrom("tenantry.client_users as u")
    .select(["u.id", "u.client_id", "u.email", "u.name", "u.role", "u.status", "u.validated_at"])
    .select(["u.cf_access_identity", "u.token_expires_at", "u.created_at", "u.updated_at", "u.version"])
    .select(sql<string>`u.created_at::text`.as("created_text"))
    .select(sql<boolean>`u.status = 'invited' and coalesce(u.token_expires_at > now(), true)`.as("is_open"))
    .select((e) => [
      jsonArrayFrom(
        e
          .selectFrom("tenantry.client_user_instances as a")
          .select("a.instance_id")
          .whereRef("a.client_user_id", "=", "u.id")
          .orderBy("a.instance_id"),
      ).as("assignments"),
      latestMail(e.ref("u.id")).as("mail_status"),
    ])
    .where("u.client_id", "=", clientId);
}

function latestMail(userId: Expression<string>) {
  return sql<string | null>`(
    select m.status from tenantry.mails m where m.client_user_id = ${userId} order by m.created_at desc limit 1)`;
}

type Selected = Awaited<ReturnType<ReturnType<typeof selectClientUsers>["execute"]>>[number];

function toListed(selected: Selected): ListedClientUser {
  const { role, status, mail_status, cf_access_identity } = row.parse(selected);
  return {
    id: selected.id,
    clientId: selected.client_id,
    email: selected.email,
    name: selected.name,
    role,
    status,
    validatedAt: selected.validated_at,
    accessIdentity: cf_access_identity,
    instanceIds: selected.assignments.map(({ instance_id }) => instance_id),
    expiresAt: selected.token_expires_at,
    isOpen: selected.is_open,
    mailStatus: mail_status,
    createdAt: selected.created_at,
    createdText: selected.created_text,
    updatedAt: selected.updated_at,
    version: selected.version,
  };
}

export async function findClientUser(
  db: Kysely<DB>,
  clientId: string,
  id: string,
): Promise<ListedClientUser | undefined> {
  const found = await selectClientUsers(db, clientId).where("u.id", "=", id).executeTakeFirst();
  return found && toListed(found);
}

/** Returns a page of a client's users, newest first. */
export async function listClientUsers(
  db: Kysely<DB>,
  clientId: string,
  page: Page & { status?: ClientUserStatus | undefined },
): Promise<ListedClientUser[]> {
  let query = selectPage(selectClientUsers(db, clientId), { table: "u", order: ORDER, type: "timestamptz" }, page);
  if (page.status !== undefined) query = query.where("u.status", "=", page.status);
  return (await query.execute()).map(toListed);
}

export function placeOfClientUser({ createdText, id }: ListedClientUser): Place {
  return [createdText, id];
}

export async function countClientUsers(db: Kysely<DB>, clientId: string): Promise<number> {
  const { total } = await db
    .selectFrom("tenantry.client_users")
    .select((e) => e.fn.countAll().as("total"))
    .where("client_id", "=", clientId)
    .executeTakeFirstOrThrow();
  return Number(total);
}
