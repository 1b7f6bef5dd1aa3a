/** Verifies and signs inbound webhooks. */
export { type SignableKind, signWebhook } from "./sign.ts";
export type { Refusal, Verdict, VerifyOptions, WebhookRequest, WebhookSecrets } from "./verdict.ts";
export { verifyWebhook } from "./verify.ts";
