import * as z from "zod";
import type { Store } from "#account/store.ts";
import { bindingType } from "../../binding.ts";
import type { Origin } from "./pooler/origin-connection.ts";

export const hyperdriveBinding = bindingType(
  { id: z.string().min(1) },
  {
    missing: ({ id }, store) =>
      store.get("hyperdrive", id) === undefined ? [10021, `Hyperdrive config '${id}' not found.`] : undefined,
    connect: ({ id }, _script, { store, hyperdrive }) =>
      store.get("hyperdrive", id) === undefined
        ? { unavailable: "its configuration does not exist" }
        : { option: "hyperdrives", value: hyperdrive.connectionString(id) },
    ingredient: ({ id }, store) => store.get("hyperdrive", id) !== undefined,
  },
);

export function originOf(store: Store, id: string): Origin | undefined {
  const config = store.get("hyperdrive", id);
  return config && { ...config.origin, port: config.origin.port ?? 5432, connections: config.origin_connection_limit };
}
