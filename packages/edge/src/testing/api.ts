/** The Cloudflare API alone, for tests of its clients. Starts no process. */
export { type ApiServer, account_id, domain, startApiServer, zone_id } from "../cloudflare/api/testing/api-server.ts";
export type { AccessGroupRecord } from "../cloudflare/kinds/access/records.ts";
export { addManyPoints } from "../cloudflare/kinds/analytics/testing/many-points.ts";
export { writePoint } from "../cloudflare/kinds/analytics/testing/points.ts";
export { ManualClock } from "../cloudflare/kinds/containers/testing/manual-clock.ts";
export { fatalError } from "../cloudflare/kinds/hyperdrive/pooler/messages.ts";
export { apiParts } from "../cloudflare/kinds.ts";
