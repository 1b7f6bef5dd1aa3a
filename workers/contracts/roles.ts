/** Roles within a tenant (spec: "Roles in the dispatch header"). */
import * as z from "zod";

export const role = z.enum(["ROOT", "ADMIN", "BASE_USER"]);
export type Role = z.infer<typeof role>;
