import type { Kind } from "../../kind.ts";
import { workersScriptsApi } from "./api.ts";
import { scriptSecretsApi } from "./secrets.ts";
import { workerServicesApi } from "./services.ts";
import { inheritedBinding, jsonBinding, secretBinding, serviceBinding, textBinding } from "./value-bindings.ts";

export const scripts: Kind = {
  api: [workersScriptsApi, workerServicesApi, scriptSecretsApi],
  bindings: {
    plain_text: textBinding,
    secret_text: secretBinding,
    json: jsonBinding,
    service: serviceBinding,
    inherit: inheritedBinding,
  },
  ingredients: { account: ["script"], namespaced: ["script"] },
  plugin: () => import("./plugin.ts"),
};
