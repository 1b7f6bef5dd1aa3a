/** Whose look a public page has: what of a partner's branding is shown, or the platform's own. */
import * as z from "zod";
import { LOGOS_PATH } from "#domain/access/access-addresses.ts";
import { brandColours, type ShownPartner, supportAddress } from "./branding.ts";
import { logoAddress } from "./logo-address.ts";

/** As it crosses from one Worker to another; what is malformed of it is as if it were not there. */
export const brand = z.object({
  name: z.string().min(1).max(200),
  colours: brandColours,
  /** URL of the logo, at the dashboard's host. At the dashboard itself its path suffices. */
  logo: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .refine((url) => new URL(url).pathname.startsWith(`${LOGOS_PATH}/`))
    .optional()
    .catch(undefined),
  /** E-mail address to ask for help. */
  support: supportAddress.optional().catch(undefined),
});
export type Brand = z.infer<typeof brand>;

export const PLATFORM_BRAND: Brand = { name: "Tenantry", colours: {} };

/**
 * The brand of a partner; without one, the platform's.
 *
 * @param origin of the dashboard; left out by the dashboard itself
 */
export function brandOf(partner: ShownPartner | null, origin = ""): Brand {
  if (partner === null) return PLATFORM_BRAND;
  const { id, name, logo_key, style } = partner;
  return {
    name: style.display_name ?? name,
    colours: style.colours,
    logo: logo_key === null ? undefined : `${origin}${logoAddress(id, logo_key)}`,
    support: style.support_address,
  };
}
