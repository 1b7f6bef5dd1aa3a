import * as z from "zod";

/** Parameters of the console's routes: each is of one tenant. */
export const ofTenant = z.object({ slug: z.string().min(1).max(63) });
