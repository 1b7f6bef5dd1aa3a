import { missing } from "@tenantry/std/difference";
import type { ApiContext } from "../../api/context.ts";
import { apiPart, numberedPage, successResponse } from "../../api/operations.ts";
import type { Kind } from "../../kind.ts";

export function accountResult({ accountId, domain }: ApiContext) {
  return {
    id: accountId,
    name: `Local edge of ${domain}`,
    type: "standard",
    settings: { enforce_twofactor: false },
    created_on: "2026-01-01T00:00:00.000Z",
  };
}

export const accountsApi = apiPart({
  title: "Accounts",
  operations: {
    "GET /accounts": "accounts.list",
    "GET /accounts/:account_id": "accounts.get",
  },
  differs: [missing("One account; read only.")],
  handlers: (context) => {
    const account = accountResult(context);
    return {
      "GET /accounts": ({ query }) => {
        const name = query.get("name");
        return numberedPage(name === null || name === account.name ? [account] : [], query);
      },
      "GET /accounts/:account_id": () => successResponse(account),
    };
  },
});

export const accounts: Kind = { api: [accountsApi] };
