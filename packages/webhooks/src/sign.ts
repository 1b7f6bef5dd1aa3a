import { concatenated, fromHex, hexOf } from "./checks/check.ts";
import { HMAC_SCHEMES, type HmacScheme, hmacSignature, standardScheme } from "./checks/hmac.ts";
import type { WebhookKind } from "./kinds.ts";
import type { WebhookRequest, WebhookSecrets } from "./verdict.ts";
import { checkedSecrets } from "./verify.ts";

/** Google and Microsoft sign with keys of their own. */
export type SignableKind = Exclude<WebhookKind, "googlechat" | "msteams">;

type Signed = Record<string, string>;
type Signer = (secrets: WebhookSecrets, request: WebhookRequest, seconds: string) => Signed | Promise<Signed>;

const signerOf =
  (schemeOf: (secrets: WebhookSecrets) => HmacScheme): Signer =>
  async (secrets, { headers, body }, timestamp) => {
    const scheme = schemeOf(secrets);
    const id = scheme.idHeader === undefined ? "" : (headers.get(scheme.idHeader) ?? `msg_${crypto.randomUUID()}`);
    const signature = `${scheme.prefix}${await hmacSignature(scheme, { id, timestamp }, body)}`;
    const { timestampPrefix: prefix } = scheme;
    return {
      [scheme.header]: prefix === undefined ? signature : `${prefix}${timestamp}${scheme.separator}${signature}`,
      ...(scheme.idHeader !== undefined && { [scheme.idHeader]: id }),
      ...(scheme.timestampHeader !== undefined && { [scheme.timestampHeader]: timestamp }),
    };
  };

/** Before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410, section 7). */
const PKCS8 = fromHex("302e020100300506032b657004220420");

const signAsDiscord: Signer = async ({ privateKey = "" }, { body }, timestamp) => {
  const encoded = new Uint8Array([...PKCS8, ...fromHex(privateKey)]);
  const key = await crypto.subtle.importKey("pkcs8", encoded, "Ed25519", false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("Ed25519", key, concatenated(timestamp, body)));
  return { "x-signature-ed25519": hexOf(signature), "x-signature-timestamp": timestamp };
};

const signAsGitlab: Signer = async ({ token = "", signingToken }, request, timestamp) => {
  const signed = signerOf(() => standardScheme(signingToken));
  return {
    "x-gitlab-token": token,
    ...(signingToken !== undefined && (await signed({}, request, timestamp))),
  };
};

const bearer: Signer = ({ token = "" }) => ({ authorization: `Bearer ${token}` });

const SIGNERS: Readonly<Record<SignableKind, Signer>> = {
  telegram: ({ secretToken = "" }) => ({ "x-telegram-bot-api-secret-token": secretToken }),
  slack: signerOf(HMAC_SCHEMES.slack),
  discord: signAsDiscord,
  line: signerOf(HMAC_SCHEMES.line),
  whatsapp: signerOf(HMAC_SCHEMES.whatsapp),
  messenger: signerOf(HMAC_SCHEMES.messenger),
  github: signerOf(HMAC_SCHEMES.github),
  gitlab: signAsGitlab,
  stripe: signerOf(HMAC_SCHEMES.stripe),
  "standard-webhooks": signerOf(HMAC_SCHEMES["standard-webhooks"]),
  openclaw: bearer,
  hmac: signerOf(HMAC_SCHEMES.hmac),
  bearer,
};

/**
 * Returns the headers that the vendor adds to a request.
 *
 * @param secrets as for verification; of `discord`: `privateKey`, the 32 bytes of the Ed25519 key in hexadecimal
 * @param options.now in milliseconds since 1970
 * @throws TypeError if the secrets do not fit the kind's schema
 */
export async function signWebhook(
  kind: SignableKind,
  secrets: WebhookSecrets,
  request: WebhookRequest,
  { now }: { now: number },
): Promise<Record<string, string>> {
  const valid = kind === "discord" ? secrets : checkedSecrets(kind, secrets);
  return SIGNERS[kind](valid, request, String(Math.floor(now / 1_000)));
}
