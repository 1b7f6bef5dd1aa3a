/** How a partner looks to its clients' users: what `partners.style` holds, as mails and public pages read it. */
import * as z from "zod";

const colour = z
  .string()
  .regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i)
  .transform((text) => (text.length === 4 ? text.replaceAll(/[0-9a-f]/gi, "$&$&") : text))
  .optional()
  .catch(undefined);

/** Each as `#rrggbb`; undefined: the platform's own. */
export const brandColours = z.object({ accent: colour, background: colour, text: colour }).catch({});
export type BrandColours = z.infer<typeof brandColours>;

export const supportAddress = z.email().max(254);

/** Anything else in it, or of another form, is as if it were not there: a stack may have given it what it begins with. */
export const branding = z
  .object({
    display_name: z.string().trim().min(1).max(200).optional().catch(undefined),
    colours: brandColours,
    /** Whom people ask for help. */
    support_address: supportAddress.optional().catch(undefined),
  })
  .catch({ colours: {} });

/** A partner as its clients' users are shown it. */
export const shownPartner = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Where its logo lies in the bucket; null without one. */
  logo_key: z.string().nullable(),
  style: branding,
});
export type ShownPartner = z.infer<typeof shownPartner>;
