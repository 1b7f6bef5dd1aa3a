import { branding } from "#workers/contracts/branding.ts";
import { logoAddress } from "#workers/contracts/logo-address.ts";

const PLATFORM_NAME = "Tenantry";
const PLATFORM_COLOURS = { accent: "#1d4ed8", background: "#f4f5f7", text: "#1d2733" };

export interface Branding {
  name: string;
  colours: Readonly<typeof PLATFORM_COLOURS>;
  logoUrl: string | undefined;
}

/** @param dashboardUrl origin of the dashboard, which serves logos */
export function brandingOf(
  partner: { id: string | null; name: string | null; style: unknown; logoKey: string | null },
  dashboardUrl: string,
): Branding {
  const { colours, display_name } = branding.parse(partner.style);
  return {
    name: display_name ?? partner.name ?? PLATFORM_NAME,
    colours: {
      accent: colours.accent ?? PLATFORM_COLOURS.accent,
      background: colours.background ?? PLATFORM_COLOURS.background,
      text: colours.text ?? PLATFORM_COLOURS.text,
    },
    logoUrl:
      partner.id !== null && partner.logoKey !== null
        ? `${dashboardUrl}${logoAddress(partner.id, partner.logoKey)}`
        : undefined,
  };
}
