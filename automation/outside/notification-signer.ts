/** Signatures of webhooks, by the dashboard: the service cannot decrypt their secrets. */
import {
  SIGN_NOTIFICATION_PATH,
  type SignatureOrder,
  type SignedNotification,
  signedNotification,
} from "#workers/contracts/api/people/notification-signature.ts";
import type { Settings } from "../settings.ts";
import { callJson } from "./call.ts";

export type NotificationSigner = (
  order: { id: string; client_user_id: string; credentials: Buffer; body: string },
  signal: AbortSignal,
) => Promise<SignedNotification>;

/** @returns undefined if the service has no connection to the dashboard */
export function notificationSigner({
  LIVE_URL: url,
  LIVE_TOKEN: token,
}: Pick<Settings, "LIVE_URL" | "LIVE_TOKEN">): NotificationSigner | undefined {
  if (url === undefined || token === undefined) return undefined;
  const target = { url: new URL(SIGN_NOTIFICATION_PATH, url).href, token, name: "The dashboard" };
  return ({ id, client_user_id, credentials, body }, signal) => {
    const order = { client_user_id, credentials: credentials.toString("base64"), webhook_id: id, body };
    return callJson(signedNotification, target, signal, order satisfies SignatureOrder);
  };
}
