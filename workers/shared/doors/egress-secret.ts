/** A secret that a tenant's Worker adds to requests of its container, encrypted like the secrets of doors. */
import { egressSecretValue } from "#workers/contracts/tenant/egress.ts";
import { sealingOf } from "./door-secrets.ts";

export const { seal: sealEgressSecret, open: openEgressSecret } = sealingOf("egress-secret", egressSecretValue);
