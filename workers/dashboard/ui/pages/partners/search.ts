/** What the address of a partner's page says. */
import * as z from "zod";
import { stylePreviews } from "#workers/contracts/api/people/partners.ts";

/** What is none of these is as if it were not there: an address may be older than the page. */
export const partnerSearch = z.object({
  /** What of the branding is shown. Default: the page of an invitation. */
  preview: z.enum(stylePreviews).optional().catch(undefined),
});
