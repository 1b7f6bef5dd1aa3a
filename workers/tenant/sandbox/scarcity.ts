/** Records when disk or memory is nearly used up, once each time. The last report is stored, since the object may be evicted. */
import * as z from "zod";
import type { ResourceUse, SandboxResources } from "#workers/contracts/tenant/sandbox.ts";
import {
  type SandboxStatus,
  SCARCE_RESOURCES,
  type ScarceResource,
  scarceResource,
} from "#workers/contracts/tenant/sandbox-status.ts";
import type { RecordEvent } from "../event-log.ts";

/** Used share at which a resource becomes scarce. */
const SCARCE = 0.8;
/** Used share below which it is no longer scarce. It is lower, so that a share around the limit is reported once. */
const EASED = 0.75;

const KEY = "scarce-resources";

const CONSEQUENCES: Readonly<Record<ScarceResource, string>> = {
  disk: "when it is full, the gateway cannot write, and backups and restores fail",
  memory: "when it is used up, the gateway is ended",
};

const shareOf = ({ usedBytes, totalBytes }: ResourceUse): number => (totalBytes > 0 ? usedBytes / totalBytes : 0);
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** Returns a warning with a remedy for each scarce resource. @param from used share at which a resource counts as scarce */
export function warningsOf(resources: SandboxResources, from = SCARCE): SandboxStatus["warnings"] {
  return SCARCE_RESOURCES.flatMap((resource) => {
    const use = resources[resource];
    if (use === undefined || shareOf(use) < from) return [];
    const share = `${Math.floor(shareOf(use) * 100)} % of the ${resource} is used, ${megabytes(use.usedBytes)} of ${megabytes(use.totalBytes)}`;
    return [{ resource, message: `${share}; ${CONSEQUENCES[resource]}. A larger plan has more.` }];
  });
}

/** The part of a Durable Object's storage that is used. */
export interface ScarcityStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
}

export class Scarcity {
  readonly #storage: ScarcityStorage;
  readonly #record: RecordEvent;
  #reported: ReadonlySet<ScarceResource> | undefined;

  constructor(storage: ScarcityStorage, record: RecordEvent) {
    this.#storage = storage;
    this.#record = record;
  }

  /** Records which resources became scarce, and which no longer are. */
  async observe(resources: SandboxResources): Promise<void> {
    this.#reported ??= new Set(z.array(scarceResource).safeParse(await this.#storage.get(KEY)).data);
    const reported = this.#reported;
    const warnings = warningsOf(resources);
    const high = new Set(warningsOf(resources, EASED).map(({ resource }) => resource));
    const stays = [...reported].filter((resource) => high.has(resource) || resources[resource] === undefined);
    const next = new Set([...stays, ...warnings.map(({ resource }) => resource)]);
    if (next.size === reported.size && [...next].every((resource) => reported.has(resource))) return;
    this.#reported = next;
    for (const { resource, message } of warnings)
      if (!reported.has(resource)) this.#record(`${resource}.scarce`, { ...resources[resource], message });
    for (const resource of reported)
      if (!next.has(resource)) this.#record(`${resource}.eased`, { ...resources[resource] });
    await this.#storage.put(KEY, [...next]);
  }
}
