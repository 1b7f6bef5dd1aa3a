import { type Provider, provider } from "../../../plugin-host/provider.ts";
import { databaseWording } from "../../../provider/database/wording.ts";
import { config, connect } from "./connection.ts";
import { defaultPrivileges } from "./default-privileges.ts";
import { grant } from "./grant.ts";
import { grantRole } from "./grant-role.ts";
import { role } from "./role.ts";
import { schema } from "./schema.ts";

/** Stands in for the vendor's plugin `postgresql`, for the kinds the platform deploys. */
export const postgresql: Provider = provider({
  name: "postgresql",
  version: "3.18.1",
  config,
  connect,
  resources: [defaultPrivileges, grant, grantRole, role, schema],
  wording: databaseWording,
});
