import { isPrivateHost } from "../egress/addresses.ts";

export const MAX_WEBHOOK_URL = 2_048;

/** Returns why a URL cannot be a webhook's, as the end of a sentence; undefined if it can. Its host's addresses are checked for each delivery. */
export function webhookUrlFault(text: string): string | undefined {
  if (text.length > MAX_WEBHOOK_URL || !URL.canParse(text))
    return `must be a URL of at most ${MAX_WEBHOOK_URL} characters`;
  const { protocol, username, password, hostname } = new URL(text);
  if (protocol !== "https:") return "must begin with https://";
  if (username !== "" || password !== "") return "must have no user and password";
  if (isPrivateHost(hostname.replace(/\.+$/, ""))) return "must have a host of the public internet";
  return undefined;
}
