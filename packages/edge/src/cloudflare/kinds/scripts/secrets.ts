import { apiPart } from "../../api/part.ts";
import { secretOperations } from "./secret-operations.ts";

export const scriptSecretsApi = apiPart({
  title: "Secrets of a script",
  operations: {
    "PUT /accounts/:account_id/workers/scripts/:script_name/secrets": "workers.scripts.secrets.update",
    "GET /accounts/:account_id/workers/scripts/:script_name/secrets": "workers.scripts.secrets.list",
    "GET /accounts/:account_id/workers/scripts/:script_name/secrets/:secret_name": "workers.scripts.secrets.get",
    "DELETE /accounts/:account_id/workers/scripts/:script_name/secrets/:secret_name": "workers.scripts.secrets.delete",
    "PATCH /accounts/:account_id/workers/scripts/:script_name/secrets-bulk": "workers.scripts.secrets.bulkUpdate",
  },
  differs: "`secret_text` only.",
  handlers: (context) => {
    const secrets = secretOperations(context);
    return {
      "PUT /accounts/:account_id/workers/scripts/:script_name/secrets": secrets.put,
      "GET /accounts/:account_id/workers/scripts/:script_name/secrets": secrets.list,
      "GET /accounts/:account_id/workers/scripts/:script_name/secrets/:secret_name": secrets.get,
      "DELETE /accounts/:account_id/workers/scripts/:script_name/secrets/:secret_name": secrets.delete,
      "PATCH /accounts/:account_id/workers/scripts/:script_name/secrets-bulk": secrets.bulk,
    };
  },
});
