/** The one user of the local edge, whose token opens it, and that user's membership of the one account. */
import { theAccount } from "./accounts.ts";
import type { Handlers } from "./coverage.ts";
import type { Edge } from "./edge.ts";
import { success } from "./envelope.ts";
import { numberedPage } from "./pagination.ts";

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
