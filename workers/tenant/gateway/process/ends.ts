/**
 * Records how gateways ended without an order, each with the last lines of its log. The records are stored: events are lost with the
 * object, and a log with its container.
 */

import { withTimeout } from "@tenantry/std/within";
import * as z from "zod";
import { log } from "#workers/shared/log.ts";
import type { UnorderedEnd } from "../../backup/restore/unexpected-restores.ts";
import type { SandboxPort } from "../../sandbox/port.ts";

const LAST_LINES = 20;
/** Maximum length of a stored line, in UTF-16 units: all records must fit into one storage value. */
const MAX_LINE_LENGTH = 500;
const MAX_ENDS = 5;
/** How long a start waits for the log, in milliseconds. */
const READ_MS = 5_000;

const RUNNING_KEY = "gateway-living";
const ENDS_KEY = "gateway-ends";

const runningGateway = z.union([
  z.object({ process: z.string(), since: z.iso.datetime() }),
  // Of an earlier version.
  z.string().transform((process) => ({ process, since: undefined })),
]);

const end = z.object({
  /** ISO 8601 UTC. */
  at: z.string(),
  event: z.enum(["gateway.hung", "gateway.died"]),
  process: z.string(),
  /** Begin of the hang: ISO 8601 UTC. */
  since: z.string().optional(),
  log: z.array(z.string()),
});
type End = z.infer<typeof end>;

export interface GatewayEndsOptions {
  storage: DurableObjectStorage;
  sandbox: Pick<SandboxPort, "readLog">;
  /** Removes secrets from a text. */
  mask: (text: string) => string;
  /** Runs when an earlier gateway is found to have ended without an order. */
  onUnordered: (end: UnorderedEnd) => Promise<void>;
}

export class GatewayEnds {
  readonly #o: GatewayEndsOptions;
  /** The gateway that was last observed to run, unless its end was ordered since. */
  #running: string | undefined;
  /** Earlier observations may show a gateway whose end was ordered. In milliseconds since the epoch. */
  #orderedAt = 0;

  constructor(options: GatewayEndsOptions) {
    this.#o = options;
  }

  /** The gateway that was last observed to run. */
  get running(): string | undefined {
    return this.#running;
  }

  /** Whether a gateway is known to have ended without an order at a time or later, in milliseconds since the epoch. */
  async hasEnded(gateway: string, since: number): Promise<boolean> {
    return (await this.#stored()).some(({ process, at }) => process === gateway && Date.parse(at) >= since);
  }

  /** @param at when the observation began that shows the gateway */
  async recordRunning(process: string, at: Date): Promise<void> {
    if (this.#running === process || at.getTime() <= this.#orderedAt) return;
    this.#running = process;
    await this.#o.storage.put(RUNNING_KEY, { process, since: at.toISOString() });
  }

  /** Ignores the end of the gateway, which was ordered. */
  async recordOrderedEnd(): Promise<void> {
    this.#orderedAt = Date.now();
    this.#running = undefined;
    await this.#o.storage.delete(RUNNING_KEY);
  }

  /** Records a hang. Call before the restart. @param since when the hang was first observed */
  async recordHang(process: string, since: Date): Promise<void> {
    await this.#add({ event: "gateway.hung", process, since: since.toISOString() }, await this.#lastLines());
  }

  /** Records that no container runs, so that the gateway ended with it unless its end was ordered. @param at when this was observed */
  async recordAbsence(at: Date): Promise<void> {
    const earlier = await this.#recorded();
    if (earlier === undefined || at.getTime() <= this.#orderedAt) return;
    if (earlier.since !== undefined && at.getTime() <= Date.parse(earlier.since)) return;
    await this.#recordUnordered(earlier.since, at);
  }

  /** Records that an earlier gateway died, unless its end was ordered. Call before a start. */
  async recordStart(): Promise<void> {
    const earlier = await this.#recorded();
    if (earlier === undefined) return;
    const { process, since } = earlier;
    const lines = await this.#lastLines();
    await this.#recordUnordered(since, new Date());
    // A gateway without log lines ended with its container, as in a rollout.
    if (lines.length > 0) await this.#add({ event: "gateway.died", process }, lines);
  }

  /** Returns the records, oldest first. Each line begins with its time. */
  async lines(): Promise<string[]> {
    return (await this.#stored()).map(({ at, ...end }) => `${at} ${JSON.stringify(end)}`);
  }

  async #recorded(): Promise<z.infer<typeof runningGateway> | undefined> {
    return runningGateway.safeParse(await this.#o.storage.get(RUNNING_KEY)).data;
  }

  async #recordUnordered(since: string | undefined, at: Date): Promise<void> {
    await this.#o.onUnordered({ at, since: since === undefined ? undefined : new Date(since) });
    await this.recordOrderedEnd();
  }

  async #add(record: Omit<End, "at" | "log">, lines: string[]): Promise<void> {
    // The gateway's log lines belong to the tenant, so they stay out of the platform's log.
    log("warn", record.event, { process: record.process, ...(record.since && { since: record.since }) });
    const ends = [...(await this.#stored()), { at: new Date().toISOString(), ...record, log: lines }];
    await this.#o.storage.put<End[]>(ENDS_KEY, ends.slice(-MAX_ENDS));
  }

  async #stored(): Promise<End[]> {
    return z.array(end).safeParse(await this.#o.storage.get(ENDS_KEY)).data ?? [];
  }

  async #lastLines(): Promise<string[]> {
    const log = this.#o.sandbox.readLog(LAST_LINES).catch(() => []);
    const lines = (await withTimeout(READ_MS, log)) ?? [];
    return lines.map((line) => this.#o.mask(line).slice(0, MAX_LINE_LENGTH));
  }
}
