/**
 * Stand-ins for vendors whose tokens are checked with more than one request or value.
 *
 *   - LINE: https://developers.line.biz/en/reference/messaging-api
 *   - Google: https://developers.google.com/identity/protocols/oauth2/service-account#httprest,
 *     https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces/list
 *   - Microsoft: https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 */

import { createPublicKey } from "node:crypto";
import { parsedJson } from "@tenantry/std/parsed-json";
import { decodeJwt, jwtVerify } from "jose";
import * as z from "zod";

export interface VendorCall {
  /** `METHOD PATH`, without the query. */
  call: string;
  bearer: string | undefined;
  body: string;
}

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** See `VendorApis`. */
interface Known {
  bots: ReadonlyMap<string, { id: string; name: string }>;
  webhooks: ReadonlyMap<string, string>;
  chatApps: boolean;
}

const ACCESS = "ya29.";
const SCOPE = "https://www.googleapis.com/auth/chat.bot";
const TOKEN_URL = "https://oauth2.googleapis.com/token";
const serviceAccount = z.object({ client_email: z.string(), private_key: z.string() });

/** Returns the answer of one of these vendors; undefined for another path. */
export async function answerTokens({ call, bearer, body }: VendorCall, known: Known): Promise<Answer | undefined> {
  const form = new URLSearchParams(body);
  if (call.startsWith("GET /v2/bot/")) return line(call.slice("GET /v2/bot/".length), bearer, known);
  if (call === "POST /token") return googleToken(form, known);
  if (call === "GET /v1/spaces") return spaces(bearer, known);
  if (/^POST \/[^/]+\/oauth2\/v2\.0\/token$/.test(call)) return microsoftToken(form, known);
  return undefined;
}

function line(path: string, bearer = "", { bots, webhooks }: Known): Answer {
  const bot = bots.get(bearer);
  if (bot === undefined) {
    const message =
      "Authentication failed due to the following reason: invalid token. Confirm that the access token is valid.";
    return { status: 401, body: { message } };
  }
  if (path === "info") {
    const body = { userId: bot.id, basicId: "@216ru", displayName: bot.name, chatMode: "bot", markAsReadMode: "auto" };
    return { status: 200, body };
  }
  const endpoint = webhooks.get(bot.id);
  if (path !== "channel/webhook/endpoint" || endpoint === undefined)
    return { status: 404, body: { message: "Not found" } };
  return { status: 200, body: { endpoint: endpoint.replace(/^off:/, ""), active: !endpoint.startsWith("off:") } };
}

async function googleToken(form: URLSearchParams, { bots }: Known): Promise<Answer> {
  const refuse = (error_description: string) => ({ status: 400, body: { error: "invalid_grant", error_description } });
  const assertion = form.get("assertion") ?? "";
  if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") {
    return { status: 400, body: { error: "unsupported_grant_type", error_description: "Invalid grant_type" } };
  }
  const { iss = "", scope } = decodeJwt(assertion);
  const [account] = [...bots.keys()]
    .map((text) => serviceAccount.safeParse(parsedJson(text)).data)
    .filter((one) => one?.client_email === iss);
  if (account === undefined) return refuse("Invalid grant: account not found");
  if (scope !== SCOPE) return { status: 400, body: { error: "invalid_scope", error_description: "Invalid scope" } };
  try {
    await jwtVerify(assertion, createPublicKey(account.private_key), { audience: TOKEN_URL, maxTokenAge: 3_600 });
  } catch {
    return refuse("Invalid JWT Signature.");
  }
  return { status: 200, body: { access_token: `${ACCESS}${iss}`, expires_in: 3_599, token_type: "Bearer" } };
}

function spaces(bearer = "", { chatApps }: Known): Answer {
  const refuse = (code: number, status: string) => ({
    status: code,
    body: { error: { code, status, message: status } },
  });
  if (!bearer.startsWith(ACCESS)) return refuse(401, "UNAUTHENTICATED");
  return chatApps ? { status: 200, body: {} } : refuse(404, "NOT_FOUND");
}

function microsoftToken(form: URLSearchParams, { bots }: Known): Answer {
  const refuse = (status: number, error: string, code: number) => ({
    status,
    body: { error, error_description: `AADSTS${code}`, error_codes: [code] },
  });
  if (form.get("grant_type") !== "client_credentials") return refuse(400, "unsupported_grant_type", 70003);
  if (form.get("scope") !== "https://api.botframework.com/.default") return refuse(400, "invalid_scope", 70011);
  const bot = bots.get(form.get("client_secret") ?? "");
  if (bot?.id !== form.get("client_id")) return refuse(401, "invalid_client", 7000215);
  return {
    status: 200,
    body: { token_type: "Bearer", expires_in: 3_599, ext_expires_in: 3_599, access_token: "eyJ0" },
  };
}
