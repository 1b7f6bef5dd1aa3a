/** What the address of a client's billing says. */
import * as z from "zod";

export const billingSearch = z.object({
  /** The invoice that is open. */
  invoice: z.uuid().optional().catch(undefined),
});
