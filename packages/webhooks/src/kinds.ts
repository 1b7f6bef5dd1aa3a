/** The kinds of webhooks and their terms, as data without code for verification. */
import * as z from "zod";
import { headerName, headerToken, sharedSecret, standardSecret } from "./secrets.ts";
import { COMMON, jsonAcknowledgement, type KindTerms, MIB, OF_BODY } from "./terms.ts";

export type { Acknowledgement, KindTerms } from "./terms.ts";

export const webhookKinds = [
  "telegram",
  "slack",
  "discord",
  "line",
  "whatsapp",
  "messenger",
  "googlechat",
  "msteams",
  "github",
  "gitlab",
  "stripe",
  "standard-webhooks",
  "openclaw",
  "hmac",
  "bearer",
] as const;
export type WebhookKind = (typeof webhookKinds)[number];

const META_SECRETS = z.strictObject({
  appSecret: sharedSecret,
  /** Meta sends it in the query of the challenge. */
  verifyToken: headerToken,
});

export const WEBHOOK_KINDS = {
  telegram: {
    ...COMMON,
    label: "Telegram",
    documentation: "https://core.telegram.org/bots/api#setwebhook",
    verification: "secret token in `X-Telegram-Bot-Api-Secret-Token`",
    secrets: z.strictObject({
      secretToken: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,256}$/, "The token must have 1 to 256 letters, digits, `_` and `-`."),
    }),
    generated: ["secretToken"],
  },
  slack: {
    ...COMMON,
    label: "Slack",
    documentation: "https://docs.slack.dev/authentication/verifying-requests-from-slack",
    verification: "HMAC-SHA-256 of time and body in `X-Slack-Signature`",
    secrets: z.strictObject({ signingSecret: sharedSecret }),
    deadlineMs: 3_000,
    deadlineSource: "https://docs.slack.dev/apis/events-api/#responding",
    forwarded: [...OF_BODY, "x-slack-retry-num", "x-slack-retry-reason"],
  },
  discord: {
    ...COMMON,
    label: "Discord",
    documentation: "https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint",
    verification: "Ed25519 signature of time and body in `X-Signature-Ed25519`",
    secrets: z.strictObject({
      publicKey: z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/, "The public key must have 64 hexadecimal digits.")
        .toLowerCase(),
    }),
    deadlineMs: 3_000,
    deadlineSource:
      "https://docs.discord.com/developers/interactions/receiving-and-responding#responding-to-an-interaction",
    acknowledgement: jsonAcknowledgement({ type: 5 }),
  },
  line: {
    ...COMMON,
    label: "LINE",
    documentation: "https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/",
    verification: "HMAC-SHA-256 of the body in `X-Line-Signature`",
    secrets: z.strictObject({ channelSecret: sharedSecret }),
    deadlineMs: 2_000,
    deadlineSource: "https://developers.line.biz/en/docs/messaging-api/check-webhook-error-statistics/",
  },
  whatsapp: {
    ...COMMON,
    label: "WhatsApp",
    documentation: "https://developers.facebook.com/docs/graph-api/webhooks/getting-started",
    verification: "HMAC-SHA-256 of the body in `X-Hub-Signature-256`; `hub.verify_token` of the challenge",
    secrets: META_SECRETS,
    generated: ["verifyToken"],
    methods: ["GET", "POST"],
    // developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/overview: "up to 3 MB"
    maxBodyBytes: 3 * MIB,
    deadlineMs: 5_000,
  },
  messenger: {
    ...COMMON,
    label: "Messenger",
    documentation: "https://developers.facebook.com/docs/messenger-platform/webhooks",
    verification: "HMAC-SHA-256 of the body in `X-Hub-Signature-256`; `hub.verify_token` of the challenge",
    secrets: META_SECRETS,
    generated: ["verifyToken"],
    methods: ["GET", "POST"],
    deadlineMs: 5_000,
    deadlineSource: "https://developers.facebook.com/docs/messenger-platform/webhooks",
  },
  googlechat: {
    ...COMMON,
    label: "Google Chat",
    documentation: "https://developers.google.com/workspace/chat/verify-requests-from-chat",
    verification: "JWT of Google in `Authorization`",
    secrets: z.strictObject({
      /** Project number, or the address of the app. */
      audience: z
        .string()
        .max(2_048)
        .regex(/^(\d{1,20}|https:\/\/\S+)$/, "The audience must be a project number or an https address."),
      /** Of an app with a service account per project. Default: `chat@system.gserviceaccount.com`. */
      serviceAccount: z
        .string()
        .regex(
          /^service-\d{1,20}@gcp-sa-gsuiteaddons\.iam\.gserviceaccount\.com$/,
          "The service account must be `service-NUMBER@gcp-sa-gsuiteaddons.iam.gserviceaccount.com`.",
        )
        .optional(),
    }),
    deadlineMs: 30_000,
    deadlineSource: "https://developers.google.com/workspace/chat/receive-respond-interactions",
    forwarded: [...OF_BODY, "authorization"],
    acknowledgement: jsonAcknowledgement({}),
  },
  msteams: {
    ...COMMON,
    label: "Microsoft Teams",
    documentation:
      "https://learn.microsoft.com/en-us/azure/bot-service/rest-api/bot-framework-rest-connector-authentication",
    verification: "JWT of the Bot Connector in `Authorization`, with the activity's `serviceUrl` and channel",
    secrets: z.strictObject({ appId: z.guid().toLowerCase() }),
    deadlineMs: 15_000,
    deadlineSource: "https://learn.microsoft.com/en-us/microsoftteams/platform/bots/bot-basics",
    forwarded: [...OF_BODY, "authorization"],
  },
  github: {
    ...COMMON,
    label: "GitHub",
    documentation: "https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries",
    verification: "HMAC-SHA-256 of the body in `X-Hub-Signature-256`",
    secrets: z.strictObject({ secret: sharedSecret }),
    generated: ["secret"],
    maxBodyBytes: 25 * MIB,
    deadlineSource: "https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks",
    forwarded: [
      ...OF_BODY,
      "x-github-event",
      "x-github-delivery",
      "x-github-hook-id",
      "x-github-hook-installation-target-id",
      "x-github-hook-installation-target-type",
    ],
  },
  gitlab: {
    ...COMMON,
    label: "GitLab",
    documentation: "https://docs.gitlab.com/user/project/integrations/webhooks/",
    verification: "HMAC-SHA-256 of id, time and body in `webhook-signature`, or the token in `X-Gitlab-Token`",
    /** GitLab signs with the signing token. If there is one, `token` is not read. */
    secrets: z.strictObject({ token: headerToken, signingToken: standardSecret.optional() }),
    generated: ["token"],
    deadlineSource: "https://docs.gitlab.com/user/gitlab_com/",
    forwarded: [
      ...OF_BODY,
      "x-gitlab-event",
      "x-gitlab-event-uuid",
      "x-gitlab-webhook-uuid",
      "x-gitlab-instance",
      "webhook-id",
      "webhook-timestamp",
    ],
  },
  stripe: {
    ...COMMON,
    label: "Stripe",
    documentation: "https://docs.stripe.com/webhooks/signature",
    verification: "HMAC-SHA-256 of time and body in `Stripe-Signature`",
    secrets: z.strictObject({ signingSecret: sharedSecret }),
  },
  "standard-webhooks": {
    ...COMMON,
    label: "Standard Webhooks",
    documentation: "https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md",
    verification: "HMAC-SHA-256 of id, time and body in `webhook-signature`",
    secrets: z.strictObject({ secret: standardSecret }),
    deadlineMs: 15_000,
    deadlineSource:
      "https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#request-timeouts",
    forwarded: [...OF_BODY, "webhook-id", "webhook-timestamp"],
  },
  openclaw: {
    ...COMMON,
    label: "OpenClaw hook",
    documentation: "https://docs.openclaw.ai/automation/cron-jobs/webhooks",
    verification: "token in `Authorization` or `X-OpenClaw-Token`",
    secrets: z.strictObject({ token: headerToken }),
    generated: ["token"],
    subpaths: ["agent", "wake"],
    otherSubpaths: /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    acknowledgement: jsonAcknowledgement({ ok: true }),
  },
  hmac: {
    ...COMMON,
    label: "HMAC signature",
    documentation: "https://www.rfc-editor.org/rfc/rfc2104",
    verification: "HMAC of the body in a header of your choice",
    secrets: z.strictObject({
      secret: sharedSecret,
      header: headerName.default("x-signature"),
      algorithm: z.enum(["sha256", "sha512", "sha1"]).default("sha256"),
      encoding: z.enum(["hex", "base64"]).default("hex"),
      /** Before the signature in the header, such as `sha256=`. */
      prefix: z
        .string()
        .max(32)
        .regex(/^[\x21-\x7e]*$/, "The prefix must have printable ASCII characters without spaces.")
        .default(""),
    }),
    generated: ["secret"],
  },
  bearer: {
    ...COMMON,
    label: "Bearer token",
    documentation: "https://www.rfc-editor.org/rfc/rfc6750#section-2.1",
    verification: "token in `Authorization`",
    secrets: z.strictObject({ token: headerToken }),
    generated: ["token"],
  },
} satisfies Record<WebhookKind, KindTerms> as Readonly<Record<WebhookKind, KindTerms>>;
