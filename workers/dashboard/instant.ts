import * as z from "zod";

/** A moment as PostgreSQL writes it in JSON. */
export const instant = z.string().transform((at) => new Date(at).toISOString());
