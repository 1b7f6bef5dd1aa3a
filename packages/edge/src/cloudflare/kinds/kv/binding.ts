import * as z from "zod";
import { bindingType } from "../../binding.ts";

export const kvBinding = bindingType(
  { namespace_id: z.string().min(1) },
  {
    missing: ({ namespace_id: id }, store) =>
      store.get("kv_namespace", id) === undefined ? [10041, `KV namespace '${id}' not found.`] : undefined,
    connect: ({ name, namespace_id: id }, _script, { storage }) => ({
      native: storage.binding("kvNamespace", name, id),
    }),
  },
);
