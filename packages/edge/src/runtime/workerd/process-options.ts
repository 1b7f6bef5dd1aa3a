import type { Log } from "@tenantry/std/log";
import type { Store } from "../../account/store.ts";
import type { Pooler } from "../../cloudflare/kinds/hyperdrive/pooler/pooler.ts";
import type { ContainerEngine } from "../../containers/engine.ts";
import type { EdgeLimits } from "../../limits/edge-limits.ts";
import type { WorkerWeather } from "../../weather/worker-weather.ts";
import type { Storage } from "../storage.ts";
import type { Scratch } from "./workerd.ts";

export interface ProcessOptions {
  store: Store;
  storage: Pick<Storage, "binding">;
  containers: ContainerEngine;
  scratch: Scratch;
  /** Folder of the scripts' Durable Objects; created when missing. */
  directory: string;
  hyperdrive: Pick<Pooler, "connectionString">;
  hub: string;
  frontPort: number;
  domain: string;
  limits: EdgeLimits;
  /** Default: no faults. */
  weather?: WorkerWeather | undefined;
  log: Log;
}
