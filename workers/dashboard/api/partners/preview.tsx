/** Preview of a branding: the real invitation page and mail, with marked sample data. */
import { INVITATIONS_PATH } from "#domain/access/access-addresses.ts";
import type { Environment } from "#domain/environment.ts";
import type { partnerRoutes, StylePreview } from "#workers/contracts/api/people/partners.ts";
import { branding } from "#workers/contracts/branding.ts";
import { brandingOf } from "#workers/shared/mail/branding.ts";
import { compose } from "#workers/shared/mail/content.ts";
import { invitationMessage } from "#workers/shared/mail/invitation.ts";
import type { Handlers } from "../../http/serve.ts";
import type { FoundInvitation } from "../../invitations/invitation.ts";
import { InvitationPage } from "../../invitations/page.tsx";
import { partnerAt } from "./required.ts";

const USER = "Ada Sample";
const CLIENT = "Sample client";
const DAYS_OPEN = 7;
const DAY_MS = 86_400_000;

const MARK_STYLES =
  "#sample{position:fixed;right:8px;bottom:8px;margin:0;padding:2px 8px;border:1px solid #868f9c;border-radius:6px;background:#16191d;color:#fff;font:12px/1.5 system-ui,sans-serif}";

/** Only mails need inline styles. */
const policyOf = (page: StylePreview, nonce: string) =>
  [
    "default-src 'none'",
    `style-src-elem 'nonce-${nonce}'`,
    `style-src-attr ${page === "mail" ? "'unsafe-inline'" : "'none'"}`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox",
  ].join("; ");

export const previewHandlers: Handlers<Pick<typeof partnerRoutes, "previewPartnerStyle">> = {
  async previewPartnerStyle({ db, settings, params, query, nonce, request }) {
    const { id, name, logo_key } = await partnerAt(db, settings.ENVIRONMENT, params.partner_id);
    const { page, display_name, support_address, ...colours } = query;
    const style = branding.parse({ display_name, support_address, colours });
    const partner = { id, name: display_name ?? name, logo_key, style };
    const rendered =
      page === "mail"
        ? sampleMail({ ...partner, logoKey: logo_key }, new URL(request.url).host)
        : String(await (<InvitationPage nonce={nonce} invitation={sampleInvitation(partner, settings.ENVIRONMENT)} />));
    return new Response(marked(rendered, nonce), {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policyOf(page, nonce),
        "x-frame-options": "SAMEORIGIN",
        // A sandboxed frame has its own origin anyway; without this header browsers log a warning.
        "origin-agent-cluster": "?0",
      },
    });
  },
};

function sampleInvitation(partner: FoundInvitation["partner"], environment: Environment): FoundInvitation {
  return {
    email: "ada@sample.example",
    name: USER,
    role: "BASE_USER",
    expires_at: new Date(Date.now() + DAYS_OPEN * DAY_MS).toISOString(),
    client: { slug: "sample", name: CLIENT, environment },
    partner,
    instance_ids: [],
  };
}

function sampleMail(partner: Parameters<typeof brandingOf>[0], host: string): string {
  const url = `https://${host}${INVITATIONS_PATH}/sample`;
  // The preview loads the logo from this host, unlike mails.
  const brand = brandingOf(partner, "");
  return compose(invitationMessage({ client: CLIENT, sender: brand.name, user: USER, url }), brand).html;
}

/** Links open in new windows, which the sandbox blocks. */
function marked(page: string, nonce: string): string {
  return page
    .replace("<head>", `<head><base target="_blank"><style nonce="${nonce}">${MARK_STYLES}</style>`)
    .replace(/<body[^>]*>/, '$&<p id="sample">Sample data</p>');
}
