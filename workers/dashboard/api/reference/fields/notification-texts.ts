/** Meanings of the fields of notifications. */

const settings = {
  kinds: "Choice for each kind of notification.",
  "kinds.mail": "`at_once`, `daily` for one mail a day with others, or `off`.",
  "kinds.webhook": "Whether the webhook gets it.",
  webhook: "The webhook; null without one.",
  "webhook.host": "Host of the webhook. Its path can be a secret and is not returned.",
  "webhook.failing_since": "Since when each delivery has failed; null if the last one did not.",
  "webhook.disabled_at": "When the webhook was disabled after three days of failures; null while it is enabled.",
};
const delivery = {
  kind: "Kind of the notification; `test` for a test.",
  subject: "What happened, in one sentence.",
  occurred_at: "When it happened.",
  channel: "How it was sent.",
  state:
    "`waiting`: for the next daily mail. `queued`: it is sent next. `sent`. `failed`: the last attempt failed. `dropped`: it was no longer wanted.",
  answer: "Last response of the mail server or the webhook; null before one.",
};

const under = (prefix: string, texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([field, text]) => [`${prefix}.${field}`, text]));

export const notificationTexts: Readonly<Record<string, string>> = {
  ...under("getNotificationSettings", settings),
  ...under("setNotificationSettings", settings),
  "setNotificationSettings.webhook.url":
    "URL of the webhook. It begins with `https://` and has a host of the public internet.",
  "setNotificationSettings.webhook_secret":
    "Secret of a webhook that this request set, for its signatures; null otherwise. It is not returned again.",
  "testNotifications.requested": "The test is sent in a moment.",
  ...under("listNotificationDeliveries.data", delivery),
};
