/** Keys and secrets of doors. */
import type { WebhookKind } from "@tenantry/webhooks/kinds";
import { keyHint, newDoorKey } from "#domain/doors/door-key.ts";
import { checkDoorSecrets, generatedNames, type Secrets } from "#domain/doors/door-secrets.ts";
import { doorUrl } from "#domain/doors/door-url.ts";
import { sha256 } from "#workers/shared/hex.ts";
import type { Settings } from "../../env.ts";
import { invalidInput } from "../../http/failure.tsx";

const SECRET_BYTES = 32;

/** Returns a new key as its hash and hint, and the address for the vendor. */
export async function newKey({ ENVIRONMENT, PLATFORM_DOMAIN: domain }: Settings, request: Request) {
  const key = newDoorKey();
  const keyHash = Buffer.from(await sha256(key));
  const url = doorUrl(key, ENVIRONMENT, domain, request.url);
  return { keyHash, keyHint: keyHint(key), url };
}

/** Returns secrets that the platform generates for a kind. @param given names that are not generated */
export function generateSecrets(kind: WebhookKind, given: Secrets = {}): Secrets {
  return Object.fromEntries(generatedNames(kind, given).map((name) => [name, randomSecret()]));
}

const randomSecret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64url");

/** Returns the secrets as the kind stores them. @throws Failure `invalid_request`, without a value */
export function checkSecrets(kind: WebhookKind, secrets: Secrets): Secrets {
  const checked = checkDoorSecrets(kind, secrets);
  if ("faults" in checked) throw invalidInput("body", { secrets: checked.faults });
  return checked.secrets;
}
