import { updatePartner } from "#database/people/partner-changes.ts";
import { findPartnerLogo, type ListedPartner } from "#database/people/partners.ts";
import { partnerErrors } from "#domain/errors/api/partners.ts";
import type { partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { logoHash } from "#workers/contracts/logo-address.ts";
import { hex } from "#workers/shared/hex.ts";
import type { Env } from "../../env.ts";
import { failure } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { sendPartnerEvent } from "../events.ts";
import { readLogo } from "./image.ts";
import { lockPartner, partnerAt } from "./required.ts";
import { styleBody } from "./style.ts";

const YEAR_SECONDS = 31_536_000;
const FEW_MINUTES_SECONDS = 300;

type LogoRoutes = Pick<typeof partnerRoutes, "putPartnerLogo" | "deletePartnerLogo" | "getPartnerLogo">;

export const logoHandlers: Handlers<LogoRoutes> = {
  async putPartnerLogo({ db, settings, env, params, bytes, caller, expected, runAfterCommit }) {
    const logo = readLogo(bytes);
    const partner = await lockPartner(db, settings.ENVIRONMENT, params.partner_id, { expected, caller });
    const hash = hex(await crypto.subtle.digest("SHA-256", logo.bytes));
    // Unique per upload, so that the removal of an older logo never removes the same content uploaded again.
    const key = `partners/${partner.id}/${hash}/${crypto.randomUUID()}`;
    await env.LOGOS.put(key, logo.bytes);
    await updatePartner(db, partner.id, { logo: { key, type: logo.type } });
    await sendPartnerEvent(db, partner, { change: "branded", caller });
    runAfterCommit(() => removeLogo(env, partner));
    return styleBody(await partnerAt(db, settings.ENVIRONMENT, partner.id));
  },

  async deletePartnerLogo({ db, settings, env, params, caller, expected, runAfterCommit }) {
    const partner = await lockPartner(db, settings.ENVIRONMENT, params.partner_id, { expected, caller });
    await updatePartner(db, partner.id, { logo: null });
    await sendPartnerEvent(db, partner, { change: "branded", caller });
    runAfterCommit(() => removeLogo(env, partner));
  },

  async getPartnerLogo({ db, env, params, query, request }) {
    const logo = await findPartnerLogo(db, params.partner_id);
    if (logo === null) throw noLogo();
    const hash = logoHash(logo.key);
    const etag = `"${hash}"`;
    const isImmutable = query.hash === hash;
    const headers = {
      "cache-control": isImmutable
        ? `public, max-age=${YEAR_SECONDS}, immutable`
        : `public, max-age=${FEW_MINUTES_SECONDS}`,
      // Other hosts' pages and mails embed it.
      "cross-origin-resource-policy": "cross-origin",
      // An SVG opened as a document must not run or load anything.
      "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      "x-content-type-options": "nosniff",
      etag,
    };
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    const object = await env.LOGOS.get(logo.key);
    if (object === null) throw noLogo();
    return new Response(object.body, { headers: { ...headers, "content-type": logo.type } });
  },
};

const noLogo = () => failure(partnerErrors.logo_not_found);

/** Removes a partner's former logo from the bucket. */
export async function removeLogo(env: Env, { logo_key }: ListedPartner): Promise<void> {
  if (logo_key !== null) await env.LOGOS.delete(logo_key);
}
