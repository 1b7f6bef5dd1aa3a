import type { Kind } from "../../kind.ts";
import { accessApplicationsApi } from "./applications.ts";
import { accessGroupsApi } from "./groups.ts";
import { zeroTrustOrganizationApi } from "./organization.ts";
import { accessApplicationPoliciesApi } from "./own-policies.ts";
import { accessPoliciesApi } from "./policies.ts";
import { accessServiceTokensApi } from "./service-tokens.ts";

export const access: Kind = {
  api: [
    accessApplicationsApi,
    accessApplicationPoliciesApi,
    accessPoliciesApi,
    accessGroupsApi,
    accessServiceTokensApi,
    zeroTrustOrganizationApi,
  ],
  plugin: () => import("./plugin.ts"),
};
