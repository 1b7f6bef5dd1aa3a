/** The one user of the local edge, whose token opens it, and that user's membership of the one account. */

import type { Handlers } from "../../api/coverage.ts";
import type { Edge } from "../../api/edge.ts";
import { success } from "../../api/envelope.ts";
import { numberedPage } from "../../api/pagination.ts";
import { theAccount } from "../accounts/api.ts";

const id = "00000000000000000000000000000001";

export const user = (edge: Edge): Handlers<"user"> => ({
  "GET /user": () =>
    success({
      id,
      email: `operator@${edge.domain}`,
      suspended: false,
      two_factor_authentication_enabled: false,
    }),
  "GET /memberships": ({ query }) =>
    numberedPage(
      [{ id, account: theAccount(edge), roles: ["Super Administrator - All Privileges"], status: "accepted" }],
      query,
    ),
});
