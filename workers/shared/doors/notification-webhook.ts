/** The webhook of an ADMIN, encrypted like the secrets of doors. */
import { type NotificationWebhook, notificationWebhook } from "#workers/contracts/api/people/notification-signature.ts";
import { type DoorKeys, open, seal } from "./door-secrets.ts";

const contextOf = (clientUserId: string) => `notification-webhook:${clientUserId}`;

/** @param clientUserId without which the bytes cannot be decrypted */
export const sealNotificationWebhook = (
  keys: DoorKeys,
  clientUserId: string,
  webhook: NotificationWebhook,
): Promise<Uint8Array> => seal(keys, contextOf(clientUserId), webhook);

/** @throws SealedWithOtherKey, or another Error for bytes that were changed or belong to another user */
export const openNotificationWebhook = async (
  keys: DoorKeys,
  clientUserId: string,
  bytes: Uint8Array,
): Promise<NotificationWebhook> => notificationWebhook.parse(await open(keys, contextOf(clientUserId), bytes));
