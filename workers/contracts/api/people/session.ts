/** Who is logged in, and where, by the API. */
import * as z from "zod";
import { environments } from "#domain/environment.ts";
import { BOTH_ROOTS, route } from "../route.ts";

export const session = z.object({
  user: z.object({ id: z.uuid(), email: z.string(), name: z.string(), role: z.enum(BOTH_ROOTS) }),
  /** The one partner whose clients are seen; null for a platform root, who sees all. */
  partner: z.object({ id: z.uuid(), slug: z.string(), name: z.string() }).nullable(),
  environment: z.enum(environments),
  /** Version of Tenantry that is deployed, such as `0.2.0`. */
  version: z.string(),
  /** Tenants' hosts lie under it. */
  platform_domain: z.string(),
  /** What whoever runs the platform has every page say; null for nothing. */
  notice: z.string().nullable(),
});
export type Session = z.infer<typeof session>;

export const sessionRoutes = {
  getSession: route({
    method: "get",
    path: "/session",
    tag: "session",
    summary: "Tell who is logged in, and to which platform",
    callers: BOTH_ROOTS,
    answer: session,
  }),
};
