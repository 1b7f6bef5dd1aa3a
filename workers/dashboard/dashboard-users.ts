/** Who may use the dashboard (spec: "Dashboard authorization levels"). */
import type { Kysely } from "kysely";
import * as z from "zod";
import type { DB } from "../../database/types.ts";
import type { Environment } from "../../domain/environment.ts";

const dashboardUser = z.discriminatedUnion("role", [
  z.object({ role: z.literal("ROOT"), name: z.string(), partner_id: z.null() }),
  z.object({ role: z.literal("PARTNER_ROOT"), name: z.string(), partner_id: z.uuid() }),
]);

export interface Caller {
  email: string;
  name: string;
  role: "ROOT" | "PARTNER_ROOT";
  /** The one partner whose clients the caller sees; undefined for a platform root, who sees all. */
  partnerId: string | undefined;
}

/** @returns undefined for someone who is no user of the environment's dashboard */
export async function findCaller(db: Kysely<DB>, environment: Environment, email: string): Promise<Caller | undefined> {
  const row = await db
    .selectFrom("tenantry.dashboard_users")
    .select(["role", "name", "partner_id"])
    .where("environment", "=", environment)
    .where("email", "=", email.toLowerCase())
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { role, name, partner_id } = dashboardUser.parse(row);
  return { email, name, role, partnerId: partner_id ?? undefined };
}
