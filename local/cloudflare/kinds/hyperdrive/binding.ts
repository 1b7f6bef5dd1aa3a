import * as z from "zod";
import { bindingType } from "../../binding.ts";
import type { HyperdriveRecord } from "./record.ts";

export const hyperdriveBinding = bindingType(
  { id: z.string().min(1) },
  {
    missing: ({ id }, store) =>
      store.get("hyperdrive", id) === undefined ? [10021, `Hyperdrive config '${id}' not found.`] : undefined,
    connect({ id }, _script, { store }) {
      const record = store.get("hyperdrive", id);
      if (record === undefined) return { unavailable: "its configuration does not exist" };
      return { option: "hyperdrives", value: connectionString(record) };
    },
    ingredient: ({ id }, store) => store.get("hyperdrive", id)?.origin,
  },
);

/** The database's address with user and password, as a driver takes it. */
function connectionString({ origin }: HyperdriveRecord): string {
  const url = new URL(`${origin.scheme.replace("postgresql", "postgres")}://${origin.host}`);
  url.port = String(origin.port ?? 5432);
  url.username = encodeURIComponent(origin.user);
  url.password = encodeURIComponent(origin.password);
  url.pathname = `/${encodeURIComponent(origin.database)}`;
  return url.href;
}
