/** A partner's branding (`partners.style`), as mails and public pages read it. */
import * as z from "zod";

const colour = z
  .string()
  .regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i)
  .transform((text) => (text.length === 4 ? text.replaceAll(/[0-9a-f]/gi, "$&$&") : text))
  .optional()
  .catch(undefined);

/** Each as `#rrggbb`; undefined: the platform's. */
export const brandColours = z.object({ accent: colour, background: colour, text: colour }).catch({});
export type BrandColours = z.infer<typeof brandColours>;

export const supportAddress = z.email().max(254);

/** Unknown and malformed parts are ignored, because a stack file can set anything. */
export const branding = z
  .object({
    display_name: z.string().trim().min(1).max(200).optional().catch(undefined),
    colours: brandColours,
    support_address: supportAddress.optional().catch(undefined),
  })
  .catch({ colours: {} });

/** A partner as its clients' users see it. */
export const shownPartner = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Key of its logo in the bucket; null without one. */
  logo_key: z.string().nullable(),
  style: branding,
});
export type ShownPartner = z.infer<typeof shownPartner>;
