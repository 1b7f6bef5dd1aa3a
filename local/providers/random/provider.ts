import { randomUUID } from "node:crypto";
import { type Provider, provider, resource } from "@tenantry/plugin-host";
import * as z from "zod";
import { randomPassword } from "./password.ts";

const uuidInputs = z.object({ keepers: z.record(z.string(), z.string()).optional() });

const randomUuid = resource<undefined, z.infer<typeof uuidInputs>, { result: string }>({
  type: "random:index/randomUuid:RandomUuid",
  inputs: uuidInputs,
  replaceOrder: "create-first",
  removes: "Nothing outside the state.",
  identity: (given) => JSON.stringify(given),
  create: async () => {
    const result = randomUUID();
    return { id: result, outputs: { result } };
  },
  read: async (_clients, id, known) => known ?? { inputs: {}, outputs: { result: id } },
  delete: async () => {},
});

/** Stand-in for the vendor's plugin, with the resource types that the platform uses. */
export const random: Provider = provider({
  name: "random",
  version: "4.21.2",
  config: z.object({}),
  connect: () => undefined,
  resources: [randomPassword, randomUuid],
  wording: () => undefined,
});
