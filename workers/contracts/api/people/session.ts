/** The session of the logged-in user in the API. */
import * as z from "zod";
import { named } from "#domain/entities/entity.ts";
import { user } from "#domain/entities/user.ts";
import { environments } from "#domain/environment.ts";
import { BOTH_ROOTS, route, routes } from "../route.ts";

export const session = z.object({
  user: user.pick({ id: true, email: true, name: true }).extend({ role: z.enum(BOTH_ROOTS) }),
  /** The only partner that the user has access to; null for a platform root. */
  partner: named.nullable(),
  environment: z.enum(environments),
  /** Deployed version of Tenantry, such as `0.2.0`. */
  version: z.string(),
  /** Parent domain of the tenants' hosts. */
  platform_domain: z.string(),
  /** Notice that every page shows; null for none. */
  notice: z.string().nullable(),
});
export type Session = z.infer<typeof session>;

export const sessionRoutes = routes("session", {
  getSession: route("get", "/session", {
    summary: "Get the logged-in user and the platform",
    callers: BOTH_ROOTS,
    answer: session,
  }),
});
