import type { Kind } from "../../kind.ts";
import { healthchecksApi } from "./api.ts";

export const healthchecks: Kind = { api: [healthchecksApi], plugin: () => import("./plugin.ts") };
