import type { Kind } from "../../kind.ts";
import { listsApi } from "./api.ts";

export const lists: Kind = { api: [listsApi], plugin: () => import("./plugin.ts") };
