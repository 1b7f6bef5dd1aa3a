/** A tenant's key for a model provider, encrypted like the secrets of doors. */
import { providerKeySecret } from "#workers/contracts/tenant/provider-keys.ts";
import { sealingOf } from "./door-secrets.ts";

export const { seal: sealProviderKey, open: openProviderKey } = sealingOf("provider-key", providerKeySecret);
