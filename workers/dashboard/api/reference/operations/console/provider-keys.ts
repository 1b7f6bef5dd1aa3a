import { consoleProviderKeyRoutes } from "#workers/contracts/api/console/provider-keys.ts";
import { clientUser, providerKey } from "../examples.ts";
import { section } from "../section.ts";
import { activeKey } from "../tenants/provider-keys.ts";

const params = { slug: "acme", provider: "openai" } as const;
const own = { created_by: clientUser.email };

export const consoleProviderKeySection = section(
  consoleProviderKeyRoutes,
  "Console: provider keys",
  "An ADMIN of a tenant stores the tenant's own keys for model providers, as an operator does.",
  {
    listConsoleProviderKeys: {
      description:
        "Returns the keys of the tenant by provider, without the keys themselves. `created_by` is `operator` for a key that an operator stored.",
      params: { slug: "acme" },
      answer: { data: [{ ...activeKey, ...own }] },
    },
    putConsoleProviderKey: {
      description:
        "Checks the key at the provider, stores it encrypted instead of the present one, and sends it to the tenant by a job. Nothing is stored if the provider does not accept the key.",
      params,
      body: { key: "sk-proj-EXAMPLE0123456789abcdefx4Qz" },
      answer: { ...providerKey, ...own },
    },
    deleteConsoleProviderKey: {
      description:
        "Deletes the key, and removes it from the tenant by a job. Further calls to the provider use the platform's key, if it has one.",
      params,
    },
  },
);
