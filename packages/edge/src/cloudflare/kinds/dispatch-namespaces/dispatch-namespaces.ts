import type { Kind } from "../../kind.ts";
import { dispatchNamespacesApi } from "./api.ts";
import { dispatchNamespaceBinding } from "./binding.ts";

export const dispatchNamespaces: Kind = {
  api: [dispatchNamespacesApi],
  bindings: { dispatch_namespace: dispatchNamespaceBinding },
  plugin: () => import("./plugin.ts"),
};
