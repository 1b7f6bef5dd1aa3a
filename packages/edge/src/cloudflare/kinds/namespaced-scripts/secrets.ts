import { apiPart } from "../../api/part.ts";
import { secretOperations } from "../scripts/secret-operations.ts";

export const namespacedScriptSecretsApi = apiPart({
  title: "Secrets of a script in a dispatch namespace",
  operations: {
    "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets":
      "workersForPlatforms.dispatch.namespaces.scripts.secrets.update",
    "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets":
      "workersForPlatforms.dispatch.namespaces.scripts.secrets.list",
    "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets/:secret_name":
      "workersForPlatforms.dispatch.namespaces.scripts.secrets.get",
    "DELETE /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets/:secret_name":
      "workersForPlatforms.dispatch.namespaces.scripts.secrets.delete",
    "PATCH /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets-bulk":
      "workersForPlatforms.dispatch.namespaces.scripts.secrets.bulkUpdate",
  },
  differs: "`secret_text` only.",
  handlers: (context) => {
    const secrets = secretOperations(context);
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
  },
});
