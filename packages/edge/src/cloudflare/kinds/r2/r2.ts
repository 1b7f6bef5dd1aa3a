import type { Kind } from "../../kind.ts";
import { r2BucketsApi } from "./api.ts";
import { r2Binding } from "./binding.ts";

export const r2: Kind = {
  api: [r2BucketsApi],
  bindings: { r2_bucket: r2Binding },
  plugin: () => import("./plugin.ts"),
};
