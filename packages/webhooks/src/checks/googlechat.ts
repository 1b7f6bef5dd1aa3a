import type { Check } from "./check.ts";
import { type Issuer, verifiedToken } from "./jwt.ts";

const CHAT = "chat@system.gserviceaccount.com";

/** Of apps whose audience is a project number. The documented certificates are at `…/v1/metadata/x509/…`; these are the same keys. */
const CHAT_ISSUER: Issuer = { keys: `https://www.googleapis.com/service_accounts/v1/jwk/${CHAT}`, names: [CHAT] };

/** Of apps whose audience is their address (developers.google.com/identity/openid-connect/openid-connect#validatinganidtoken). */
const GOOGLE_ISSUER: Issuer = {
  keys: "https://www.googleapis.com/oauth2/v3/certs",
  names: ["https://accounts.google.com", "accounts.google.com"],
};

export const googlechatCheck: Check = async ({ audience = "", serviceAccount = CHAT }, request, options) => {
  const isProject = !audience.startsWith("https:");
  const issuer = isProject ? CHAT_ISSUER : GOOGLE_ISSUER;
  const token = await verifiedToken(request, { issuer, audience }, options);
  if (typeof token === "string") return token;
  if (isProject) return undefined;
  // Google signs ID tokens for every account: only the address tells Chat's.
  const { email, email_verified: isVerified } = token.claims;
  return isVerified === true && email === serviceAccount ? undefined : "signature_wrong";
};
