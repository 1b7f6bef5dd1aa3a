/** AI gateways. */
import type { Kind } from "../../kind.ts";
import { aiGatewaysApi } from "./api.ts";

export const aiGateways: Kind = {
  api: [aiGatewaysApi],
  plugin: () => import("./plugin.ts"),
};
