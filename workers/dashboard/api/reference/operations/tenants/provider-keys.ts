import { providerKeyRoutes } from "#workers/contracts/api/tenants/provider-keys.ts";
import { IDS, providerKey } from "../examples.ts";
import { section } from "../section.ts";

const params = { instance_id: IDS.instance, provider: "openai" } as const;
export const activeKey = {
  ...providerKey,
  state: "active" as const,
  pushed_at: "2026-11-03T07:20:02.000Z",
  last_used_at: "2026-11-03T07:21:00.000Z",
};

export const providerKeySection = section(
  providerKeyRoutes,
  "Provider keys",
  "A tenant's own key for a model provider. The tenant's Worker adds it to model calls on their way to the AI gateway, so that log, filter and spend limit apply and the provider charges the owner of the key. The container never has it.",
  {
    listProviderKeys: {
      description:
        "Returns the keys of an instance by provider, without the keys themselves. What the provider reports of a key appears within two minutes.",
      params: { instance_id: IDS.instance },
      answer: { data: [activeKey] },
    },
    putProviderKey: {
      description:
        "Checks the key at the provider, stores it encrypted, and sends it to the tenant by a job. Replaces the present key of the provider. The next model call uses it; the gateway does not restart. Nothing is stored if the provider does not accept the key.",
      params,
      body: { key: "sk-proj-EXAMPLE0123456789abcdefx4Qz" },
      answer: providerKey,
      errors: { conflict: "Another request has stored a key for this provider." },
    },
    deleteProviderKey: {
      description:
        "Deletes the key, and removes it from the tenant by a job. Further calls to the provider use the platform's key, if it has one.",
      params,
    },
  },
);
