import type { Kind } from "../../kind.ts";
import { namespacedScriptsApi } from "./api.ts";
import { namespacedScriptSecretsApi } from "./secrets.ts";

export const namespacedScripts: Kind = { api: [namespacedScriptsApi, namespacedScriptSecretsApi] };
