import type { Kind } from "../../kind.ts";
import { aiGatewaysApi } from "./api.ts";
import { aiGatewayLogsApi } from "./logs-api.ts";

export const aiGateways: Kind = { api: [aiGatewaysApi, aiGatewayLogsApi], plugin: () => import("./plugin.ts") };
