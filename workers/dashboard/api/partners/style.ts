import * as z from "zod";
import { updatePartner } from "#database/people/partner-changes.ts";
import type { ListedPartner } from "#database/people/partners.ts";
import { colours, type PartnerStyle, type partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { logoAddress } from "#workers/contracts/logo-address.ts";
import type { Handlers } from "../../http/serve.ts";
import { sendPartnerEvent } from "../events.ts";
import { lockPartner, partnerAt } from "./required.ts";

/** Known parts of the row's style, which a stack can set to anything. */
const knownStyle = z.object({
  display_name: z.string().nullable().catch(null),
  colours: colours.nullable().catch(null),
  support_address: z.string().nullable().catch(null),
});

export function styleBody({ id, name, style, logo_key, version }: ListedPartner): PartnerStyle {
  const { display_name, ...rest } = knownStyle.parse({
    display_name: null,
    colours: null,
    support_address: null,
    ...style,
  });
  return {
    partner_id: id,
    display_name: display_name ?? name,
    ...rest,
    logo_url: logo_key === null ? null : logoAddress(id, logo_key),
    version,
  };
}

type StyleRoutes = Pick<typeof partnerRoutes, "getPartnerStyle" | "putPartnerStyle">;

export const styleHandlers: Handlers<StyleRoutes> = {
  async getPartnerStyle({ db, settings, params }) {
    return styleBody(await partnerAt(db, settings.ENVIRONMENT, params.partner_id));
  },

  // The dashboard also manages the branding of partners in Git: a stack only sets the initial one.
  async putPartnerStyle({ db, settings, params, body, caller, expected }) {
    const found = await lockPartner(db, settings.ENVIRONMENT, params.partner_id, { expected, caller });
    const { display_name = null, colours = null, support_address = null } = body;
    await updatePartner(db, found.id, { style: { display_name, colours, support_address } });
    await sendPartnerEvent(db, found, { change: "branded", caller });
    return styleBody(await partnerAt(db, settings.ENVIRONMENT, found.id));
  },
};
