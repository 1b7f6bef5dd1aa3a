/** Capacity of the platform's account in the API. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { capacityKinds } from "#domain/plans/capacity.ts";
import { ROOT_ONLY, route, routes } from "./route.ts";

const counted = z.object({
  kind: z.enum(capacityKinds),
  used: z.number().nonnegative(),
  /** Limit of the account. */
  most: z.number().nonnegative(),
  /** Whether at least 80 % is used. */
  scarce: z.boolean(),
  counted_at: instant,
});

export const capacityRoutes = routes("capacity", {
  getCapacity: route("get", "/capacity", {
    summary: "Get use and limits of the Cloudflare account",
    callers: ROOT_ONLY,
    answer: z.object({
      data: z.array(counted),
      /** How many more tenants with a pooled AI gateway fit; null before the first count. */
      tenants_left: z.number().int().nullable(),
    }),
  }),
});
