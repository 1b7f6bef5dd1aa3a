import { cloudflareErrorMessage } from "@tenantry/cloudflare-client/client";
import { provider, type Resource } from "@tenantry/plugin-host";
import { type Clients, config, connectClients } from "./clients.ts";
import { databaseWording } from "./database/wording.ts";
import { containerApplication } from "./resources/container-application.ts";
import { databaseRecord } from "./resources/database-record.ts";
import { door } from "./resources/door.ts";
import { endedSessions } from "./resources/ended-sessions.ts";
import { memberGroup } from "./resources/member-group.ts";
import { migrations } from "./resources/migrations.ts";
import { namespacedScript } from "./resources/namespaced-script.ts";
import { objectClasses } from "./resources/object-classes.ts";
import { removalCheck } from "./resources/removal-check.ts";
import { rightsRoles } from "./resources/rights-roles.ts";

const resources: readonly Resource<Clients>[] = [
  containerApplication,
  databaseRecord,
  door,
  endedSessions,
  memberGroup,
  migrations,
  namespacedScript,
  objectClasses,
  removalCheck,
  rightsRoles,
];

export const tenantry = provider({
  name: "tenantry",
  version: "0.1.0",
  config,
  connect: connectClients,
  resources,
  wording: (error) => cloudflareErrorMessage(error) ?? databaseWording(error),
});
