/** Secrets of a script in a dispatch namespace. */
import type { Handlers } from "../../api/coverage.ts";
import type { Edge } from "../../api/edge.ts";
import { secretOperations } from "../scripts/secret-operations.ts";

export const namespacedScriptSecrets = (edge: Edge): Handlers<"namespaced-script-secrets"> => {
  const secrets = secretOperations(edge);
  return {
    "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets":
      secrets.put,
    "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets":
      secrets.list,
    "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets/:secret_name":
      secrets.get,
    "DELETE /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets/:secret_name":
      secrets.delete,
    "PATCH /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets-bulk":
      secrets.bulk,
  };
};
