/** A tenant's own keys for model providers, which its Worker adds to model calls. The container never receives them. */
import * as z from "zod";
import { keyProviders, PROVIDER_KEY, providerFaults } from "#domain/provider-keys/providers.ts";
import { INTERNAL_PATH_PREFIX } from "./internal.ts";

/**
 * `PUT` with a {@link providerKeysOrder}: replaces all keys. 204 after they are stored; the next call uses them. `GET`: a
 * {@link providerKeysReport}.
 */
export const PROVIDER_KEYS_PATH = `${INTERNAL_PATH_PREFIX}/provider-keys`;

/** What is encrypted of a key (`workers/shared/doors/provider-key.ts`). */
export const providerKeySecret = z.strictObject({
  provider: z.enum(keyProviders),
  key: z.string().regex(PROVIDER_KEY),
});

/** @property id changes with the key */
export const ownProviderKey = providerKeySecret.extend({ id: z.uuid() });
export type OwnProviderKey = z.infer<typeof ownProviderKey>;

export const providerKeysOrder = z.strictObject({
  keys: z
    .array(ownProviderKey)
    .refine((keys) => new Set(keys.map(({ provider }) => provider)).size === keys.length, "one key per provider"),
});
export type ProviderKeysOrder = z.infer<typeof providerKeysOrder>;

/** `PUT` to the dispatch Worker's order `/_provider-keys/{slug}`, which decrypts the keys. The automation service cannot decrypt them. */
export const sealedProviderKeysOrder = z.strictObject({
  sealed: z.array(z.strictObject({ id: z.uuid(), credentials: z.base64() })),
});
export type SealedProviderKeysOrder = z.infer<typeof sealedProviderKeysOrder>;

export const reportedProviderKey = z.object({
  id: z.uuid(),
  /** To the minute; null if never. */
  lastUsedAt: z.iso.datetime().nullable(),
  /** What the provider said of the key in the last call, without the key; null if it accepted the key. */
  fault: z.object({ kind: z.enum(providerFaults), message: z.string(), at: z.iso.datetime() }).nullable(),
});
export type ReportedProviderKey = z.infer<typeof reportedProviderKey>;

export const providerKeysReport = z.object({ keys: z.array(reportedProviderKey) });
export type ProviderKeysReport = z.infer<typeof providerKeysReport>;
