import { missing } from "@tenantry/std/difference";
import { apiPart, numberedPage, successResponse } from "../../api/operations.ts";

export const zeroTrustOrganizationApi = apiPart({
  title: "Zero Trust organization",
  operations: {
    "GET /accounts/:account_id/access/organizations": "zeroTrust.organizations.list",
    "GET /accounts/:account_id/access/identity_providers": "zeroTrust.identityProviders.list",
  },
  differs: [missing("One organization with one identity provider; read only.")],
  handlers: ({ domain, teamDomain }) => ({
    "GET /accounts/:account_id/access/organizations": () =>
      successResponse({
        name: `Local edge of ${domain}`,
        auth_domain: teamDomain,
        session_duration: "24h",
        auto_redirect_to_identity: false,
        is_ui_read_only: false,
        login_design: {},
      }),
    "GET /accounts/:account_id/access/identity_providers": ({ query }) =>
      numberedPage(
        [{ id: "0e71d000-0000-4000-8000-000000000000", name: "One-time PIN", type: "onetimepin", config: {} }],
        query,
      ),
  }),
});
