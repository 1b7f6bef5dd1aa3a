/** The one account of the local edge. */
import type { Handlers } from "../../api/coverage.ts";
import type { Edge } from "../../api/edge.ts";
import { success } from "../../api/envelope.ts";
import { numberedPage } from "../../api/pagination.ts";

export function theAccount({ accountId, domain }: Edge) {
  return {
    id: accountId,
    name: `Local edge of ${domain}`,
    type: "standard",
    settings: { enforce_twofactor: false },
    created_on: "2026-01-01T00:00:00.000Z",
  };
}

export const accounts = (edge: Edge): Handlers<"accounts"> => {
  const account = theAccount(edge);
  return {
    "GET /accounts": ({ query }) => {
      const name = query.get("name");
      return numberedPage(name === null || name === account.name ? [account] : [], query);
    },
    "GET /accounts/:account_id": () => success(account),
  };
};
