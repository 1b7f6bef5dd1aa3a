import type { Kind } from "../../kind.ts";
import { accessApplicationsApi } from "./applications.ts";
import { accessGroupsApi } from "./groups.ts";
import { zeroTrustOrganizationApi } from "./organization.ts";
import { accessPoliciesApi } from "./policies.ts";

export const access: Kind = {
  api: [accessApplicationsApi, accessPoliciesApi, accessGroupsApi, zeroTrustOrganizationApi],
  plugin: () => import("./plugin.ts"),
};
