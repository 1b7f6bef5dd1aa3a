/** The user who calls the API (spec: "Dashboard authorization levels"). */
import * as z from "zod";
import { user } from "#domain/entities/user.ts";
import type { RootRole } from "#workers/contracts/api/route.ts";

const dashboardUser = user.pick({ id: true, email: true, name: true });

export interface Caller extends z.infer<typeof dashboardUser> {
  role: RootRole;
  /** The only partner that the caller has access to; `undefined` for a platform root. */
  partnerId: string | undefined;
}

const found = z.discriminatedUnion("role", [
  dashboardUser.extend({ role: z.literal("ROOT"), partner_id: z.null() }),
  dashboardUser.extend({ role: z.literal("PARTNER_ROOT"), partner_id: z.uuid() }),
]);

/** @param value result of the database's `dashboard.find_caller` */
export function parseCaller(value: unknown): Caller {
  const { partner_id, ...caller } = found.parse(value);
  return { ...caller, partnerId: partner_id ?? undefined };
}
