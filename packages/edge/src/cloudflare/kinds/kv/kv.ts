import type { Kind } from "../../kind.ts";
import { kvBinding } from "./binding.ts";
import { kvEntriesApi } from "./entries.ts";
import { kvNamespacesApi } from "./namespaces.ts";

export const kv: Kind = {
  api: [kvNamespacesApi, kvEntriesApi],
  bindings: { kv_namespace: kvBinding },
  plugin: () => import("./plugin.ts"),
};
