import type { Log } from "@tenantry/std/log";
import type { Store } from "../../account/store.ts";
import type { LogStore } from "../../ai-gateway/logs/log-store.ts";
import type { RegistryServer } from "../../containers/registry-server.ts";
import type { EdgeLimits } from "../../limits/edge-limits.ts";
import type { BindingTypes } from "../binding.ts";
import type { Analytics } from "../kinds/analytics/data-points.ts";
import type { AssetUploads } from "../kinds/assets/uploads.ts";
import type { RuntimePort } from "./runtime-port.ts";

export interface ApiContext {
  store: Store;
  runtime: RuntimePort;
  gatewayLogs: LogStore;
  analytics: Analytics;
  bindingTypes: BindingTypes;
  assetUploads: AssetUploads;
  /** Whether a token is the edge's own. */
  isOwnToken: (token: string) => boolean;
  limits: EdgeLimits;
  /** 32 hexadecimal digits; other accounts are refused. */
  accountId: string;
  /** 32 hexadecimal digits; other zones do not exist. */
  zoneId: string;
  /** Name of the zone, such as `edge.localhost`. */
  domain: string;
  /** Host of the Access team. */
  teamDomain: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Returns credentials of the account's registry. */
  registryCredentials: RegistryServer["credentials"];
  log: Log;
}
