/** How much room the platform's account has, by the API. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { capacityKinds } from "#domain/plans/capacity.ts";
import { ROOT_ONLY, route, routes } from "./route.ts";

const counted = z.object({
  kind: z.enum(capacityKinds),
  used: z.number().nonnegative(),
  /** What the account may hold. */
  most: z.number().nonnegative(),
  /** Whether four fifths of it are used. */
  scarce: z.boolean(),
  counted_at: instant,
});

export const capacityRoutes = routes("capacity", {
  getCapacity: route("get", "/capacity", {
    summary: "Tell what the platform's account holds of each limited thing, as the automation service counted it last",
    callers: ROOT_ONLY,
    answer: z.object({
      data: z.array(counted),
      /** How many more tenants with a pooled AI gateway fit; null while nothing was counted. */
      tenants_left: z.number().int().nullable(),
    }),
  }),
});
