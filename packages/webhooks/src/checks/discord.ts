import { type Check, concatenated, fromHex, isFresh } from "./check.ts";

const SIGNATURE = /^[0-9a-f]{128}$/;

/** Discord documents no tolerance of the timestamp. Five minutes prevent replays. */
export const discordCheck: Check = async ({ publicKey = "" }, { headers, body }, { now }) => {
  const signature = headers.get("x-signature-ed25519");
  if (!signature) return "signature_missing";
  const timestamp = headers.get("x-signature-timestamp") ?? "";
  if (!isFresh(timestamp, now)) return "timestamp";
  if (!SIGNATURE.test(signature)) return "signature_wrong";
  const key = await crypto.subtle.importKey("raw", fromHex(publicKey), "Ed25519", false, ["verify"]);
  const isRight = await crypto.subtle.verify("Ed25519", key, fromHex(signature), concatenated(timestamp, body));
  return isRight ? undefined : "signature_wrong";
};
