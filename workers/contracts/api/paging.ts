/** Pagination by cursor: each entry is returned once, also when entries are added meanwhile. */
import * as z from "zod";

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 100;

/** `after` is the `next` of the previous page. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  after: z.string().max(1_000).optional(),
});

/** A page. `next` is null on the last one; `total` counts all entries, if counting is cheap. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    pagination: z.object({ next: z.string().nullable(), total: z.number().int().nonnegative().optional() }),
  });
