import { notificationRoutes } from "#workers/contracts/api/people/notifications.ts";
import { clientUser, IDS } from "../examples.ts";
import { section } from "../section.ts";

const ofClient = { client_id: IDS.client };
const atOnce = { mail: "at_once", webhook: false } as const;

const settings = {
  kinds: {
    not_running: { mail: "at_once", webhook: true },
    restore: atOnce,
    backup_failed: atOnce,
    cap: atOnce,
    new_device: atOnce,
    new_version: { mail: "daily", webhook: false },
    invoice: atOnce,
  },
  webhook: { host: "hooks.example.com", failing_since: null, disabled_at: null },
  version: 2,
} as const;

export const notificationSection = section(
  notificationRoutes,
  "Notifications",
  "Each ADMIN of a client chooses mails at once, a mail a day, or a webhook for each kind of notification. Webhooks are signed as Standard Webhooks; attempts of one notification have the same `webhook-id`. A webhook that accepts nothing for three days is disabled, and mails replace it.",
  {
    getNotificationSettings: {
      description:
        "Returns your own settings, with the defaults of kinds that you have not chosen. A root gets the defaults.",
      params: ofClient,
      answer: settings,
    },
    setNotificationSettings: {
      description:
        "Changes your own settings. A webhook gets a new secret, which is in this response only. Its URL begins with `https://` and has a host of the public internet; redirects are not followed.",
      params: ofClient,
      body: {
        kinds: { not_running: { mail: "at_once", webhook: true } },
        webhook: { url: "https://hooks.example.com/tenantry" },
      },
      answer: { ...settings, webhook_secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=" },
    },
    testNotifications: {
      description: "Sends you a test by mail and, if you have one, by your webhook, at most once a minute.",
      params: ofClient,
      answer: { requested: true },
    },
    listNotificationDeliveries: {
      description: "Returns what was sent to a client's ADMINs, newest first.",
      params: ofClient,
      answer: {
        data: [
          {
            id: IDS.serviceToken,
            kind: "not_running",
            subject: "Acme is not running",
            occurred_at: "2026-11-03T10:15:00.000Z",
            channel: "webhook",
            email: clientUser.email,
            state: "failed",
            attempts: 12,
            answer: "The webhook returned HTTP 500.",
            created_at: "2026-11-03T10:15:01.000Z",
            ended_at: "2026-11-04T02:20:00.000Z",
          },
        ],
        pagination: { next: null },
      },
    },
  },
);
