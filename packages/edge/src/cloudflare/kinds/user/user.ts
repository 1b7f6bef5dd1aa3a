import { missing } from "@tenantry/std/difference";
import { apiPart, numberedPage, successResponse } from "../../api/operations.ts";
import type { Kind } from "../../kind.ts";
import { accountResult } from "../accounts/accounts.ts";

const id = "00000000000000000000000000000001";

export const userApi = apiPart({
  title: "User",
  operations: {
    "GET /user": "user.get",
    "GET /memberships": "memberships.list",
  },
  differs: [missing("One user, who is a member of the one account.")],
  handlers: (context) => ({
    "GET /user": () =>
      successResponse({
        id,
        email: `operator@${context.domain}`,
        suspended: false,
        two_factor_authentication_enabled: false,
      }),
    "GET /memberships": ({ query }) =>
      numberedPage(
        [{ id, account: accountResult(context), roles: ["Super Administrator - All Privileges"], status: "accepted" }],
        query,
      ),
  }),
});

export const user: Kind = { api: [userApi] };
