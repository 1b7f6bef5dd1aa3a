import * as z from "zod";
import { stylePreviews } from "#workers/contracts/api/people/partners.ts";

/** Ignores invalid values: a link may be older than the page. */
export const partnerSearch = z.object({
  preview: z.enum(stylePreviews).optional().catch(undefined),
});
