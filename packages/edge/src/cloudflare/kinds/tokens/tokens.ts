import type { Kind } from "../../kind.ts";
import { tokensApi } from "./api.ts";

export const tokens: Kind = { api: [tokensApi], plugin: () => import("./plugin.ts") };
