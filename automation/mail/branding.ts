/** How a partner's mails look: colours and name, and its logo by the dashboard's address. */
import { branding, type Branding as Style } from "../../workers/contracts/branding.ts";
import { logoAddress } from "../../workers/contracts/logo-address.ts";

/** Who sends, where no partner does. */
const PLATFORM_NAME = "Tenantry";

export interface Branding {
  name: string;
  colours: Style["colours"];
  logoUrl: string | undefined;
}

/** @param dashboardUrl the dashboard's origin */
export function brandingOf(
  partner: { id: string | null; name: string | null; style: unknown; logoKey: string | null },
  dashboardUrl: string,
): Branding {
  const { colours, display_name } = branding.parse(partner.style);
  return {
    name: display_name ?? partner.name ?? PLATFORM_NAME,
    colours,
    logoUrl:
      partner.id !== null && partner.logoKey !== null
        ? `${dashboardUrl}${logoAddress(partner.id, partner.logoKey)}`
        : undefined,
  };
}
