import type { PluginPart } from "../../plugin/part.ts";
import { permissionGroups } from "./plugin-permission-groups.ts";
import { accountToken } from "./plugin-token.ts";

export const plugin: PluginPart = {
  resources: [accountToken],
  functions: {
    "cloudflare:index/getAccountApiTokenPermissionGroupsList:getAccountApiTokenPermissionGroupsList": permissionGroups,
  },
};
