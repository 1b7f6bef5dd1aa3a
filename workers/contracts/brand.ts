/** The branding of a public page: a partner's or the platform's. */
import * as z from "zod";
import { LOGOS_PATH } from "#domain/access/access-addresses.ts";
import { brandColours, type ShownPartner, supportAddress } from "./branding.ts";
import { logoAddress } from "./logo-address.ts";

/** Sent from one Worker to another. Malformed parts are ignored. */
export const brand = z.object({
  name: z.string().min(1).max(200),
  colours: brandColours,
  /** URL of the logo at the dashboard's host. */
  logo: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .refine((url) => new URL(url).pathname.startsWith(`${LOGOS_PATH}/`))
    .optional()
    .catch(undefined),
  /** E-mail address for help. */
  support: supportAddress.optional().catch(undefined),
});
export type Brand = z.infer<typeof brand>;

export const PLATFORM_BRAND: Brand = { name: "Tenantry", colours: {} };

/** Returns the brand of a partner; without one, the platform's. @param origin of the dashboard. Default: the logo's path is relative */
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
