import type { Kind } from "../../kind.ts";
import { cronTriggersApi } from "./api.ts";

export const cronTriggers: Kind = { api: [cronTriggersApi], plugin: () => import("./plugin.ts") };
