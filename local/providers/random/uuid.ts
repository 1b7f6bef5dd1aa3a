import { randomUUID } from "node:crypto";
import { resource } from "@tenantry/plugin-host";
import * as z from "zod";

const inputs = z.object({ keepers: z.record(z.string(), z.string()).optional() });

/** `RandomUuid`. Every change replaces. */
export const randomUuid = resource<undefined, z.infer<typeof inputs>, { result: string }>({
  type: "random:index/randomUuid:RandomUuid",
  inputs,
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
