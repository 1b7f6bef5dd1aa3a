/** Who is logged in, and where, by the API. */
import * as z from "zod";
import { named } from "#domain/entities/entity.ts";
import { user } from "#domain/entities/user.ts";
import { environments } from "#domain/environment.ts";
import { BOTH_ROOTS, route, routes } from "../route.ts";

export const session = z.object({
  user: user.pick({ id: true, email: true, name: true }).extend({ role: z.enum(BOTH_ROOTS) }),
  /** The one partner whose clients are seen; null for a platform root, who sees all. */
  partner: named.nullable(),
  environment: z.enum(environments),
  /** Version of Tenantry that is deployed, such as `0.2.0`. */
  version: z.string(),
  /** Tenants' hosts lie under it. */
  platform_domain: z.string(),
  /** What whoever runs the platform has every page say; null for nothing. */
  notice: z.string().nullable(),
});
export type Session = z.infer<typeof session>;

export const sessionRoutes = routes("session", {
  getSession: route("get", "/session", {
    summary: "Tell who is logged in, and to which platform",
    callers: BOTH_ROOTS,
    answer: session,
  }),
});
