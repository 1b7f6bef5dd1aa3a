import type { Log } from "@tenantry/std/log";
import type { Store } from "../../account/store.ts";
import type { Pooler } from "../../cloudflare/kinds/hyperdrive/pooler/pooler.ts";
import type { ContainerEngine } from "../../containers/engine.ts";
import type { Storage } from "../storage.ts";
import type { Scratch } from "./workerd.ts";

/** What a workerd of scripts is started with. */
export interface ProcessOptions {
  store: Store;
  storage: Storage;
  containers: ContainerEngine;
  scratch: Scratch;
  /** Where the scripts' Durable Objects lie; made if missing. */
  directory: string;
  hyperdrive: Pick<Pooler, "connectionString">;
  hub: string;
  frontPort: number;
  domain: string;
  log: Log;
}
