/** Notices when disk or memory is nearly used up, and says so once each time. What was said is stored, as the object may be gone meanwhile. */
import * as z from "zod";
import type { ResourceUse, SandboxResources } from "#workers/contracts/sandbox.ts";
import {
  type SandboxStatus,
  SCARCE_RESOURCES,
  type ScarceResource,
  scarceResource,
} from "#workers/contracts/sandbox-status.ts";

/** Share from which on a resource is scarce. */
const SCARCE = 0.8;
/** Share below which it is so no more: less, so that one that stays about the limit is told of once. */
const EASED = 0.75;

const KEY = "scarce-resources";

const CONSEQUENCES: Readonly<Record<ScarceResource, string>> = {
  disk: "without room the gateway cannot write, and neither backups nor restores can be made",
  memory: "without more the gateway is ended in the middle of its work",
};

const shareOf = ({ usedBytes, totalBytes }: ResourceUse): number => (totalBytes > 0 ? usedBytes / totalBytes : 0);
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** What is scarce, each with its remedy. @param from share from which on it is */
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
  readonly #note: (event: string, details: Record<string, unknown>) => void;
  #told: ReadonlySet<ScarceResource> | undefined;

  constructor(storage: ScarcityStorage, note: (event: string, details: Record<string, unknown>) => void) {
    this.#storage = storage;
    this.#note = note;
  }

  /** Says what has become scarce, and what is so no more. */
  async seen(resources: SandboxResources): Promise<void> {
    const told = await this.#load();
    const warnings = warningsOf(resources);
    const high = new Set(warningsOf(resources, EASED).map(({ resource }) => resource));
    const stays = [...told].filter((resource) => high.has(resource) || resources[resource] === undefined);
    const next = new Set([...stays, ...warnings.map(({ resource }) => resource)]);
    if (next.size === told.size && [...next].every((resource) => told.has(resource))) return;
    this.#told = next;
    for (const { resource, message } of warnings)
      if (!told.has(resource)) this.#note(`${resource}.scarce`, { ...resources[resource], message });
    for (const resource of told) if (!next.has(resource)) this.#note(`${resource}.eased`, { ...resources[resource] });
    await this.#storage.put(KEY, [...next]);
  }

  async #load(): Promise<ReadonlySet<ScarceResource>> {
    this.#told ??= new Set(z.array(scarceResource).safeParse(await this.#storage.get(KEY)).data);
    return this.#told;
  }
}
