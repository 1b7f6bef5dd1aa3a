/** Keys and secrets of doors. */
import { WEBHOOK_KINDS, type WebhookKind } from "@tenantry/webhooks/kinds";
import * as z from "zod";
import { keyHint, newDoorKey } from "#domain/doors/door-key.ts";
import { sha256 } from "#workers/shared/hex.ts";
import type { Settings } from "../../env.ts";
import { invalidInput } from "../../http/failure.tsx";
import { doorUrl } from "../../page/tenant-url.ts";

export type Secrets = Readonly<Record<string, string>>;

const SECRET_BYTES = 32;

/** Returns a new key as its hash and hint, and the address for the vendor. */
export async function newKey({ ENVIRONMENT, PLATFORM_DOMAIN: domain }: Settings, request: Request) {
  const key = newDoorKey();
  const keyHash = Buffer.from(await sha256(key));
  const url = doorUrl(key, ENVIRONMENT, { url: new URL(request.url), domain });
  return { keyHash, keyHint: keyHint(key), url };
}

/** Returns secrets that the platform generates for a kind. @param given names that are not generated */
export function generateSecrets(kind: WebhookKind, given: Secrets = {}): Secrets {
  const names = WEBHOOK_KINDS[kind].generated.filter((name) => given[name] === undefined);
  return Object.fromEntries(names.map((name) => [name, randomSecret()]));
}

const randomSecret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64url");

const texts = z.record(z.string(), z.string());

/** Returns the secrets as the kind stores them. @throws Failure `invalid_request`, without a value */
export function checkSecrets(kind: WebhookKind, secrets: Secrets): Secrets {
  const parsed = WEBHOOK_KINDS[kind].secrets.safeParse(secrets);
  if (parsed.success) return texts.parse(JSON.parse(JSON.stringify(parsed.data)));
  const faults = parsed.error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw invalidInput("body", { secrets: faults });
}
