/** Requests to Google with the key of a Chat app's service account. */
import { parsedJson } from "@tenantry/std/parsed-json";
import { importPKCS8, SignJWT } from "jose";
import * as z from "zod";
import { CHANNEL_KINDS } from "#domain/channels/kinds.ts";
import { channelErrors } from "#domain/errors/api/channels.ts";
import { failure } from "../../http/failure.tsx";
import { callVendor, unknownResponse } from "./vendor-call.ts";

// https://developers.google.com/identity/protocols/oauth2/service-account#httprest
const TOKEN_API = "https://oauth2.googleapis.com";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const SCOPE = "https://www.googleapis.com/auth/chat.bot";
const LIFETIME_SECONDS = 300;

/** OpenClaw accepts no other `token_uri`. */
const serviceAccountKey = z.object({
  type: z.literal("service_account"),
  client_email: z.string().regex(/^[^\s@]{1,100}@[^\s@]{1,100}$/),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  token_uri: z.literal(`${TOKEN_API}/token`).optional(),
});
const issued = z.object({ access_token: z.string().min(1) });
const refused = z.object({ error: z.string() });

/**
 * Returns the e-mail address of a service account that can act as a Chat app. `rejected`: it is not a key, or Google does not accept it.
 *
 * @param api of Google Chat. A stand-in has Google's token endpoint too.
 * @throws Failure
 */
export async function askGoogleChat(api: string, text: string): Promise<string | "rejected"> {
  const key = serviceAccountKey.safeParse(parsedJson(text)).data;
  const assertion = key && (await signed(key));
  if (key === undefined || assertion === undefined) return "rejected";
  const tokenApi = api === CHANNEL_KINDS.googlechat.api ? TOKEN_API : api;
  const form = { grant_type: GRANT, assertion };
  const answer = await callVendor({ kind: "googlechat", url: `${tokenApi}/token`, method: "POST", form });
  if ([400, 401].includes(answer.status) && refused.safeParse(answer.body).success) return "rejected";
  const { data: token } = issued.safeParse(answer.body);
  if (answer.status >= 300 || token === undefined) throw unknownResponse("googlechat", answer.status);
  // https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces/list
  const url = `${api}/v1/spaces?pageSize=1`;
  const { status } = await callVendor({ kind: "googlechat", url, bearer: token.access_token });
  if (status === 403 || status === 404) throw failure(channelErrors.channel_googlechat_app_missing);
  if (status >= 300) throw unknownResponse("googlechat", status);
  return key.client_email;
}

async function signed(key: z.infer<typeof serviceAccountKey>): Promise<string | undefined> {
  try {
    return await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(key.private_key_id && { kid: key.private_key_id }) })
      .setIssuer(key.client_email)
      .setAudience(`${TOKEN_API}/token`)
      .setIssuedAt()
      .setExpirationTime(`${LIFETIME_SECONDS} seconds`)
      .sign(await importPKCS8(key.private_key, "RS256"));
  } catch {
    return undefined;
  }
}
