/** Who calls the dashboard (spec: "Dashboard authorization levels"). */
import * as z from "zod";
import type { RootRole } from "#workers/contracts/api/route.ts";

export interface Caller {
  /** Of the row in `dashboard_users`. */
  id: string;
  email: string;
  name: string;
  role: RootRole;
  /** The one partner whose clients the caller sees; undefined for a platform root, who sees all. */
  partnerId: string | undefined;
}

const found = z.discriminatedUnion("role", [
  z.object({ role: z.literal("ROOT"), id: z.uuid(), email: z.string(), name: z.string(), partner_id: z.null() }),
  z.object({
    role: z.literal("PARTNER_ROOT"),
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    partner_id: z.uuid(),
  }),
]);

/** What the database's `dashboard.find_caller` tells of a user. */
export function parseCaller(value: unknown): Caller {
  const { partner_id, ...caller } = found.parse(value);
  return { ...caller, partnerId: partner_id ?? undefined };
}
