/** The secrets of doors, as their kinds require. */
import { WEBHOOK_KINDS, type WebhookKind } from "@tenantry/webhooks/kinds";
import * as z from "zod";

/** By name. */
export type Secrets = Readonly<Record<string, string>>;

const texts = z.record(z.string(), z.string());

/** Returns the names of the secrets that the platform generates. @param given other secrets, which it does not generate */
export const generatedNames = (kind: WebhookKind, given: Secrets): string[] =>
  WEBHOOK_KINDS[kind].generated.filter((name) => given[name] === undefined);

/** Returns the secrets as the kind stores them, or the rules that they break, which contain no value. */
export function checkDoorSecrets(kind: WebhookKind, secrets: Secrets): { secrets: Secrets } | { faults: string[] } {
  const parsed = WEBHOOK_KINDS[kind].secrets.safeParse(secrets);
  if (parsed.success) return { secrets: texts.parse(JSON.parse(JSON.stringify(parsed.data))) };
  return {
    faults: parsed.error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": ")),
  };
}
