/** What the handlers of every kind share. */

import type { Log } from "@tenantry/std/log";
import type { Store } from "../../account/store.ts";
import type { LogStore } from "../../ai-gateway/logs/log-store.ts";
import type { BindingTypes } from "../binding.ts";
import type { Analytics } from "../kinds/analytics/data-points.ts";
import type { AssetUploads } from "../kinds/assets/uploads.ts";
import type { RuntimePort } from "./runtime-port.ts";

export interface ApiContext {
  store: Store;
  runtime: RuntimePort;
  /** Logs of the AI gateways, which they write. */
  gatewayLogs: LogStore;
  /** Data points of Workers, which they write. */
  analytics: Analytics;
  /** Types of bindings that a script may have. */
  bindingTypes: BindingTypes;
  /** Files on their way to scripts. */
  assetUploads: AssetUploads;
  accountId: string;
  zoneId: string;
  /** The zone's name, such as `tenantry.localhost`. */
  domain: string;
  log: Log;
}
