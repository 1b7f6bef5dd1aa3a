import type { EgressSecretValue } from "#workers/contracts/tenant/egress.ts";
import { sealEgressSecret } from "#workers/shared/doors/egress-secret.ts";
import { doorKeysOf, type Settings } from "../../env.ts";

/** Returns a secret as it is stored: encrypted, with the values that lists show. */
export async function sealedSecret(settings: Settings, secret: EgressSecretValue) {
  const id = crypto.randomUUID();
  const { name, host, header } = secret;
  return { id, name, host, header, credentials: Buffer.from(await sealEgressSecret(doorKeysOf(settings), id, secret)) };
}
