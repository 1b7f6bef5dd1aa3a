import type { Kind } from "../../kind.ts";
import { workerAssetsApi } from "./api.ts";
import { assetsBinding } from "./binding.ts";

export const assets: Kind = { api: [workerAssetsApi], bindings: { assets: assetsBinding } };
