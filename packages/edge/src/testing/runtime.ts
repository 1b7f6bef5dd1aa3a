/** Parts of the edge for tests of Workers and containers. */
export { type Access, createAccess } from "../access/access.ts";
export type { Precedence } from "../access/applications.ts";
export { startPooler } from "../cloudflare/kinds/hyperdrive/pooler/pooler.ts";
export { StoredBucket } from "../cloudflare/kinds/r2/testing/stored-bucket.ts";
export { EngineClient } from "../containers/testing/engine-client.ts";
export { Inside } from "../containers/testing/inside.ts";
export { objectId } from "../containers/testing/object-id.ts";
export { sharedHost } from "../containers/testing/shared-host.ts";
export { workspaceOf, workspacesOf } from "../containers/testing/workspace.ts";
export { dispatchScript, putRoute, putScript } from "../runtime/testing/scripts.ts";
export { sharedStorage } from "../runtime/testing/shared-storage.ts";
