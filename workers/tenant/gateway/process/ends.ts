/**
 * Records how gateways ended without an order, each with the last lines of its log. The records are stored, since events are lost with the
 * object and a log is lost with its container.
 */

import { within } from "@tenantry/std/within";
import * as z from "zod";
import { log } from "#workers/shared/log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";

/** Lines of its log that are kept of a gateway. */
const LAST_LINES = 20;
/** Longest line kept, in UTF-16 units, so that all of it is far below what one value of the storage may hold. */
const LINE_LENGTH = 500;
/** Ends that are kept; the oldest go first. */
const KEPT_ENDS = 5;
/** How long a start waits for the lines, in milliseconds: they are no reason to keep a tenant waiting. */
const READ_MS = 5_000;

const LIVING = "gateway-living";
const ENDS = "gateway-ends";

const end = z.object({
  /** ISO 8601 UTC. */
  at: z.string(),
  event: z.enum(["gateway.hung", "gateway.died"]),
  process: z.string(),
  /** Since when it hung: ISO 8601 UTC. */
  since: z.string().optional(),
  log: z.array(z.string()),
});
type End = z.infer<typeof end>;

export interface GatewayEndsOptions {
  storage: DurableObjectStorage;
  sandbox: Pick<SandboxPort, "readLog">;
  /** Takes the secrets out of a text. */
  mask: (text: string) => string;
}

export class GatewayEnds {
  readonly #o: GatewayEndsOptions;
  /** The gateway that was last observed to run, unless its end was ordered since. */
  #living: string | undefined;
  /** An observation from before this time, in milliseconds since the epoch, may show a gateway whose end was ordered. */
  #orderedAt = 0;

  constructor(options: GatewayEndsOptions) {
    this.#o = options;
  }

  /** A gateway runs. @param at when the observation began */
  async runs(process: string, at: Date): Promise<void> {
    if (this.#living === process || at.getTime() <= this.#orderedAt) return;
    this.#living = process;
    await this.#o.storage.put(LIVING, process);
  }

  /** The end of the gateway was ordered, so it is not recorded. */
  async ordered(): Promise<void> {
    this.#orderedAt = Date.now();
    this.#living = undefined;
    await this.#o.storage.delete(LIVING);
  }

  /** The gateway hangs, and is restarted next. @param since when the hang was first observed */
  async hung(process: string, since: Date): Promise<void> {
    await this.#keep({ event: "gateway.hung", process, since: since.toISOString() }, await this.#lastLines());
  }

  /** A gateway is started next. One that ran before and whose end was not ordered has died. */
  async starts(): Promise<void> {
    const process = z.string().safeParse(await this.#o.storage.get(LIVING)).data;
    if (process === undefined) return;
    const lines = await this.#lastLines();
    await this.ordered();
    // A gateway without log lines ended with its container, as in a rollout.
    if (lines.length > 0) await this.#keep({ event: "gateway.died", process }, lines);
  }

  /** The records, oldest first. Each line begins with its time. */
  async lines(): Promise<string[]> {
    return (await this.#kept()).map(({ at, ...end }) => `${at} ${JSON.stringify(end)}`);
  }

  async #keep(ended: Omit<End, "at" | "log">, lines: string[]): Promise<void> {
    // The gateway's log lines belong to the tenant, so they stay out of the platform's log.
    log("warn", ended.event, { process: ended.process, ...(ended.since && { since: ended.since }) });
    const kept = [...(await this.#kept()), { at: new Date().toISOString(), ...ended, log: lines }];
    await this.#o.storage.put<End[]>(ENDS, kept.slice(-KEPT_ENDS));
  }

  async #kept(): Promise<End[]> {
    return z.array(end).safeParse(await this.#o.storage.get(ENDS)).data ?? [];
  }

  async #lastLines(): Promise<string[]> {
    const lines = await within(
      READ_MS,
      this.#o.sandbox.readLog(LAST_LINES).catch(() => []),
    );
    return (lines ?? []).map((line) => this.#o.mask(line).slice(0, LINE_LENGTH));
  }
}
