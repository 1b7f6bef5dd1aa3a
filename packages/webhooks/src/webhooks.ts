/** Verifies and signs inbound webhooks. */
export type { Refusal, Verdict, VerifyOptions, WebhookRequest, WebhookSecrets } from "./verdict.ts";
