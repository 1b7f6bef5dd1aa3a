import { providerKeyErrors } from "#domain/errors/api/provider-keys.ts";
import type { consoleProviderKeyRoutes } from "#workers/contracts/api/console/provider-keys.ts";
import { requireFound } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { deleteKey, findKeys, storeKey } from "./keys.ts";

export const consoleProviderKeyHandlers: Handlers<typeof consoleProviderKeyRoutes> = {
  listConsoleProviderKeys: async ({ db, caller }) => ({ data: await findKeys(db, caller) }),

  async putConsoleProviderKey({ db, settings, params: { provider }, body: { key }, caller, origin, actOutside }) {
    actOutside();
    await storeKey(db, settings, { user: caller, provider, key, origin });
    const keys = await findKeys(db, caller);
    return requireFound(
      keys.find((one) => one.provider === provider),
      providerKeyErrors.provider_key_not_found,
    );
  },

  deleteConsoleProviderKey: ({ db, params: { provider }, caller, origin }) =>
    deleteKey(db, caller, { provider, origin }),
};
