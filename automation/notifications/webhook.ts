/** Sends a notification to an ADMIN's webhook, at least once: attempts have the same `webhook-id`. */
import * as z from "zod";
import {
  acceptWebhook,
  beginWebhook,
  endWebhook,
  failWebhook,
  type WebhookDelivery,
} from "#database/notifications/webhooks.ts";
import { errorMessage } from "#domain/errors/catalogue-error.ts";
import { notificationErrors } from "#domain/errors/service/notifications.ts";
import { effectiveChoice, WEBHOOK_FAILING_DAYS } from "#domain/notifications/kinds.ts";
import { notificationText } from "#domain/notifications/texts.ts";
import type { NotificationSigner } from "../outside/notification-signer.ts";
import { defineTask, type Task, TaskError } from "../task.ts";
import type { PostWebhook } from "./post-webhook.ts";

const payload = z.object({ id: z.uuid() });
/** The receiver wants no more (Standard Webhooks: "Disabling Failing Endpoints"). */
const GONE = 410;

/** @param signer undefined if the service has no connection to the dashboard */
export function webhookTask(signer: NotificationSigner | undefined, post: PostWebhook): Task {
  return defineTask("notification_webhook", payload, async ({ id }, { db, log, signal, isLast }) => {
    const delivery = await beginWebhook(db, id);
    if (delivery === undefined) return;
    const { credentials } = delivery;
    if (credentials === null || !isWanted(delivery)) {
      await endWebhook(db, id, "dropped", errorMessage(notificationErrors.webhook_not_wanted));
      return;
    }
    if (signer === undefined) throw new TaskError(notificationErrors.webhook_not_signed);
    const body = bodyOf(delivery);
    const signed = await signer({ ...delivery, credentials, body }, signal);
    const outcome = await post(signed, body, signal);
    if (signal.aborted && outcome.status === undefined) throw new TaskError(notificationErrors.webhook_interrupted);
    const isAccepted = outcome.status !== undefined && outcome.status >= 200 && outcome.status <= 299;
    if (isAccepted) {
      await acceptWebhook(db, delivery, outcome.answer);
      log("info", "webhook_sent", { delivery: id });
      return;
    }
    const disableAfterDays = outcome.status === GONE ? 0 : WEBHOOK_FAILING_DAYS;
    const isDisabled = await failWebhook(db, delivery, { answer: outcome.answer, final: isLast, disableAfterDays });
    log("warn", isDisabled ? "webhook_disabled" : "webhook_failed", { delivery: id, answer: outcome.answer });
    if (!isDisabled) throw new TaskError(notificationErrors.webhook_failed, { fault: outcome.answer });
  });
}

const isWanted = ({ kind, choices }: Pick<WebhookDelivery, "kind" | "choices">): boolean =>
  effectiveChoice(choices, kind, false)?.webhook ?? true;

/** The payload, as Standard Webhooks recommend it. */
function bodyOf({ kind, data, occurred_at, client_id, client_name, client_slug, id }: WebhookDelivery): string {
  const { subject, details } = notificationText(kind, data, client_name);
  return JSON.stringify({
    type: `notification.${kind}`,
    timestamp: occurred_at.toISOString(),
    data: { id, kind, client: { id: client_id, slug: client_slug, name: client_name }, subject, details },
  });
}
