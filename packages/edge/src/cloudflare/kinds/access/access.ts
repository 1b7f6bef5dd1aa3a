import type { Kind } from "../../kind.ts";
import { accessApplicationsApi } from "./applications.ts";
import { accessGroupsApi } from "./groups.ts";
import { accessPoliciesApi } from "./policies.ts";

export const access: Kind = {
  api: [accessApplicationsApi, accessPoliciesApi, accessGroupsApi],
  plugin: () => import("./plugin.ts"),
};
