import type { Kind } from "../../kind.ts";
import { namespacedScriptSecretsApi } from "../scripts/secrets.ts";
import { namespacedScriptsApi } from "./api.ts";

export const namespacedScripts: Kind = { api: [namespacedScriptsApi, namespacedScriptSecretsApi] };
