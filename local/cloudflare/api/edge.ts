/** What the handlers of every kind share. */

import type { Store } from "../../account/store.ts";
import type { Log } from "../../log.ts";
import type { RuntimePort } from "./runtime-port.ts";

export interface Edge {
  store: Store;
  runtime: RuntimePort;
  accountId: string;
  zoneId: string;
  /** The zone's name, such as `tenantry.localhost`. */
  domain: string;
  log: Log;
}
