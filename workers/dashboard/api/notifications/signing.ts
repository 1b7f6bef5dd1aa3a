/** Signs notifications for the automation service, with its token, before any query. */
import { signWebhook } from "@tenantry/webhooks";
import { serviceErrors } from "#domain/errors/api/service.ts";
import {
  SIGN_NOTIFICATION_PATH,
  type SignedNotification,
  signatureOrder,
} from "#workers/contracts/api/people/notification-signature.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { hasBearerToken } from "#workers/shared/bearer-token.ts";
import { openNotificationWebhook } from "#workers/shared/doors/notification-webhook.ts";
import { log } from "#workers/shared/log.ts";
import { doorKeysOf, type Settings } from "../../env.ts";
import { parseJson, readBody } from "../../http/body.ts";
import type { App } from "../../variables.ts";

const MAX_ORDER_BYTES = 256 * 1024;

export function serveSigning(app: App, settings: Settings): void {
  app.post(SIGN_NOTIFICATION_PATH, async (c) => {
    if (!(await hasBearerToken(c.req.raw.headers, settings.LIVE_TOKEN, settings.OTHER_LIVE_TOKEN))) {
      return errorResponse(serviceErrors.events_token_missing);
    }
    const order = signatureOrder.safeParse(parseJson(await readBody(c.req.raw, MAX_ORDER_BYTES)));
    if (!order.success) return errorResponse(serviceErrors.signature_order_invalid);
    const { client_user_id: user, credentials, webhook_id, body } = order.data;
    try {
      const sealed = Buffer.from(credentials, "base64");
      const { url, secret } = await openNotificationWebhook(doorKeysOf(settings), user, sealed);
      const request = {
        method: "POST",
        subpath: "",
        headers: new Headers({ "webhook-id": webhook_id }),
        query: new URLSearchParams(),
        body: new Uint8Array(new TextEncoder().encode(body)),
      };
      const headers = await signWebhook("standard-webhooks", { secret }, request, { now: Date.now() });
      return Response.json({ url, headers } satisfies SignedNotification);
    } catch {
      log("warn", "notification.webhook-unreadable", { user });
      return errorResponse(serviceErrors.webhook_unreadable);
    }
  });
}
