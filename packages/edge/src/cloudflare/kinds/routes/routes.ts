import type { Kind } from "../../kind.ts";
import { routesApi } from "./api.ts";

export const routes: Kind = { api: [routesApi], plugin: () => import("./plugin.ts") };
