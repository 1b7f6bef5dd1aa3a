/** Files that Workers serve: their upload, and the binding by which a Worker asks for its own. */
import type { Kind } from "../../kind.ts";
import { workerAssetsApi } from "./api.ts";
import { assetsBinding } from "./binding.ts";

export const assets: Kind = { api: [workerAssetsApi], bindings: { assets: assetsBinding } };
