/** A secret that a tenant's Worker adds to requests of its container, encrypted like the secrets of doors. */
import { type EgressSecretValue, egressSecretValue } from "#workers/contracts/tenant/egress.ts";
import { type DoorKeys, open, seal } from "./door-secrets.ts";

const contextOf = (id: string) => `egress-secret:${id}`;

/** @param id of the secret, without which the bytes cannot be decrypted */
export const sealEgressSecret = (keys: DoorKeys, id: string, secret: EgressSecretValue): Promise<Uint8Array> =>
  seal(keys, contextOf(id), secret);

/** @throws SealedWithOtherKey, or another Error for bytes that were changed or belong to another secret */
export const openEgressSecret = async (keys: DoorKeys, id: string, bytes: Uint8Array): Promise<EgressSecretValue> =>
  egressSecretValue.parse(await open(keys, contextOf(id), bytes));
