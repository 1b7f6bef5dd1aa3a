import type { Kind } from "../../kind.ts";
import { hyperdriveApi } from "./api.ts";
import { hyperdriveBinding } from "./binding.ts";

export const hyperdrive: Kind = {
  api: [hyperdriveApi],
  bindings: { hyperdrive: hyperdriveBinding },
  ingredients: { account: ["hyperdrive"], namespaced: ["hyperdrive"] },
  plugin: () => import("./plugin.ts"),
};
