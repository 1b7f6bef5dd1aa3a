/** How a partner's mails look: colours and name, and its logo by the dashboard's address. */
import * as z from "zod";

const DEFAULTS = { primary: "#1d4ed8", background: "#f4f5f7", text: "#1d2733" };

const colour = (name: keyof typeof DEFAULTS) =>
  z
    .string()
    .regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i)
    .catch(DEFAULTS[name]);

/** What of a partner's `style` mails use; anything else in it, or of another form, is as if it were not there. */
const style = z
  .object({
    colors: z
      .object({ primary: colour("primary"), background: colour("background"), text: colour("text") })
      .catch(DEFAULTS),
    /** Set where the partner has a logo. */
    logo: z.unknown().optional(),
  })
  .catch({ colors: DEFAULTS });

/** Who sends, where no partner does. */
const PLATFORM_NAME = "Tenantry";

export interface Branding {
  name: string;
  colors: { primary: string; background: string; text: string };
  logoUrl: string | undefined;
}

/** @param dashboardUrl the dashboard's origin */
export function brandingOf(
  partner: { id: string | null; name: string | null; style: unknown },
  dashboardUrl: string,
): Branding {
  const { colors, logo } = style.parse(partner.style);
  const hasLogo = partner.id !== null && logo !== undefined && logo !== null;
  return {
    name: partner.name ?? PLATFORM_NAME,
    colors,
    logoUrl: hasLogo ? `${dashboardUrl}/partner/${partner.id}/logo` : undefined,
  };
}
