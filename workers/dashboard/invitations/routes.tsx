/** Routes of an invitation, for anyone with its token, without a login (spec: "Authentication", 6). */
import * as z from "zod";
import { INVITATIONS_PATH } from "#domain/access/access-addresses.ts";
import { peopleErrors } from "#domain/errors/api/people.ts";
import { type AnsweredInvitation, invitationDecision } from "#workers/contracts/api/people/invitations.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { TokenVerifier } from "#workers/shared/access/token-verifier.ts";
import type { Settings } from "../env.ts";
import { parseJson, readBody } from "../http/body.ts";
import { failure } from "../http/failure.tsx";
import { requireSameOrigin } from "../http/same-origin.ts";
import { tenantUrl } from "../page/tenant-url.ts";
import type { App, AppContext } from "../variables.ts";
import { accessUserUuid } from "./access-user.ts";
import {
  answerInvitation,
  type FoundInvitation,
  findInvitation,
  findPastInvitation,
  hashToken,
  invitationBody,
  type PastInvitation,
} from "./invitation.ts";
import { AnsweredPage, InvitationPage } from "./page.tsx";
import { PastInvitationPage } from "./past-page.tsx";

const PATH = `${INVITATIONS_PATH}/:token` as const;
const MAX_BODY_BYTES = 16 * 1024;

export function serveInvitations(app: App, settings: Settings): void {
  const verifier = new TokenVerifier(settings.ACCESS_ISSUER);

  // Changes nothing, because mail scanners follow links.
  app.get(PATH, async (c) => {
    const tokenHash = await hashToken(c.req.param("token"));
    const invitation = await findInvitation(c.get("connection").db, tokenHash);
    if (invitation === undefined) return notOpen(c, tokenHash);
    if (wantsJson(c)) return c.json(invitationBody(invitation));
    return c.html(<InvitationPage invitation={invitation} nonce={nonceOf(c)} />);
  });

  app.post(PATH, async (c) => {
    requireSameOrigin(c.req.raw);
    const { decision, instance_ids } = await readDecision(c);
    const { db } = c.get("connection");
    const tokenHash = await hashToken(c.req.param("token"));
    const invitation = await findInvitation(db, tokenHash);
    if (invitation === undefined) return notOpen(c, tokenHash);
    const { headers } = c.req.raw;
    const answered = await answerInvitation(db, tokenHash, {
      accepts: decision === "accept",
      instanceIds: instance_ids,
      accessUserUuid: await accessUserUuid(verifier, headers, invitation.email, (work) =>
        c.executionCtx.waitUntil(work),
      ),
      ...c.get("origin"),
    });
    if (answered === undefined) return notOpen(c, tokenHash);
    const address = decision === "accept" ? addressOf(c, answered) : null;
    if (!wantsJson(c)) return c.html(<AnsweredPage invitation={answered} address={address} nonce={nonceOf(c)} />);
    const status = decision === "accept" ? "validated" : "rejected";
    return c.json({ ...invitationBody(answered), status, address } satisfies AnsweredInvitation);
  });

  function addressOf(c: AppContext, { client }: PastInvitation | FoundInvitation): string {
    return tenantUrl(client.slug, client.environment, { url: new URL(c.req.url), domain: settings.PLATFORM_DOMAIN });
  }

  /** API clients get the same error for every closed invitation; the page shows the outcome. */
  async function notOpen(c: AppContext, tokenHash: Buffer): Promise<Response> {
    if (wantsJson(c)) return errorResponse(peopleErrors.invitation_not_open);
    const past = await findPastInvitation(c.get("connection").db, tokenHash);
    const address = past?.state === "accepted" ? addressOf(c, past) : null;
    return c.html(<PastInvitationPage past={past} address={address} nonce={nonceOf(c)} />, 404);
  }
}

const nonceOf = (c: AppContext): string => c.get("secureHeadersNonce") ?? "";

function wantsJson(c: AppContext): boolean {
  const accept = c.req.header("accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

/** @throws Failure for a body that is too large, of another type, or without a decision */
async function readDecision(c: AppContext): Promise<z.output<typeof invitationDecision>> {
  const body = await readBody(c.req.raw, MAX_BODY_BYTES);
  const parsed = invitationDecision.safeParse(parseBody(c.req.header("content-type") ?? "", body));
  if (parsed.success) return parsed.data;
  throw failure(peopleErrors.decision_invalid, {}, { details: z.flattenError(parsed.error).fieldErrors });
}

function parseBody(type: string, body: Uint8Array): unknown {
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body)));
  }
  if (/^application\/json\b/i.test(type)) return parseJson(body);
  throw failure(peopleErrors.decision_body_type);
}
