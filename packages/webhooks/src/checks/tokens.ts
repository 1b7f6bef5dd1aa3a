/** Secrets that the vendor sends as they are. */
import type { Refusal, WebhookRequest } from "../verdict.ts";
import { type Check, equalSecrets } from "./check.ts";
import { hmacCheck, standardScheme } from "./hmac.ts";

const BEARER = /^bearer +([\x21-\x7e]+)$/i;

async function compared(given: string | undefined | null, expected = ""): Promise<Refusal | undefined> {
  if (!given) return "signature_missing";
  return expected !== "" && (await equalSecrets(given, expected)) ? undefined : "signature_wrong";
}

export function bearerToken({ headers }: WebhookRequest): string | undefined {
  return BEARER.exec(headers.get("authorization") ?? "")?.[1];
}

export const telegramCheck: Check = async ({ secretToken }, { headers }) =>
  compared(headers.get("x-telegram-bot-api-secret-token"), secretToken);

const signedByGitlab = hmacCheck(({ signingToken }) => standardScheme(signingToken));

/**
 * GitLab 19.0 and later sign with the signing token (gitlab.com/gitlab-org/gitlab/-/merge_requests/230944). The signature covers the body,
 * so it decides alone.
 */
export const gitlabCheck: Check = async (secrets, request, options) =>
  secrets.signingToken === undefined
    ? compared(request.headers.get("x-gitlab-token"), secrets.token)
    : signedByGitlab(secrets, request, options);

export const bearerCheck: Check = async ({ token }, request) => compared(bearerToken(request), token);

/** OpenClaw refuses a token in the query, also beside a header. */
export const openclawCheck: Check = async ({ token }, request) => {
  if (request.query.has("token")) return "malformed";
  return compared(bearerToken(request) ?? request.headers.get("x-openclaw-token"), token);
};

/** Meta's challenge has the token in the query; its events are signed. */
export const metaCheck =
  (signed: Check): Check =>
  async (secrets, request, options) => {
    if (request.method !== "GET") return signed(secrets, request, options);
    const given = request.query.getAll("hub.verify_token");
    return given.length > 1 ? "malformed" : compared(given[0], secrets.verifyToken);
  };
