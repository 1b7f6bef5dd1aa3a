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

/** Cloudflare's defaults: developers.cloudflare.com/hyperdrive/concepts/query-caching/ */
const MAX_AGE_S = 60;
const STALE_S = 15;

export function originOf(store: Store, id: string): Origin | undefined {
  const config = store.get("hyperdrive", id);
  if (config === undefined) return undefined;
  const { disabled = false, max_age = MAX_AGE_S, stale_while_revalidate = STALE_S } = config.caching ?? {};
  const cache = disabled
    ? undefined
    : { maxAge: 1_000 * max_age, staleWhileRevalidate: 1_000 * stale_while_revalidate };
  const { origin, origin_connection_limit: connections } = config;
  return { ...origin, port: origin.port ?? 5432, connections, cache };
}
