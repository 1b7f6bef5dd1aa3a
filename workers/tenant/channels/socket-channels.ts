/**
 * Socket channels: whether the gateway holds their connections; and channels of the platform that it was started without. The gateway reports them with
 * its work; while it sleeps, the last report says which channels are offline.
 */
import * as z from "zod";
import { messengerOf, termsOf } from "#domain/channels/kinds.ts";
import type { Channel } from "#workers/contracts/tenant/channels.ts";
import { type ChannelConnection, channelConnection, type GatewayWork } from "#workers/contracts/tenant/sandbox.ts";
import type { SocketChannel } from "#workers/contracts/tenant/sandbox-status.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import type { KeyValueStorage } from "../storage.ts";

const KEY = "channel-connections";
/** Whether the plan kept the gateway awake for them. */
const KEPT_KEY = "channels-keep-awake";
/** Age of a report after which the gateway is asked again, in milliseconds. */
const FRESH_MS = 10_000;
/** How long a reader of the status waits for the gateway, in milliseconds. */
const WAIT_MS = 2_500;
const ASK_TIMEOUT_MS = 20_000;
/** OpenClaw's account of a channel that the platform connects. */
const ACCOUNT = "default";

const stored = z.array(channelConnection).catch([]);

export interface SocketChannelsOptions {
  storage: KeyValueStorage;
  sandbox: Pick<SandboxPort, "reportWork">;
  /** The channels that the platform connected. */
  connected: () => readonly Channel[];
  /** Removes secrets from a text. */
  mask: (text: string) => string;
  waitUntil: (work: Promise<unknown>) => void;
}

export class SocketChannels {
  readonly #o: SocketChannelsOptions;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(options: SocketChannelsOptions) {
    this.#o = options;
  }

  /** Stores a gateway's report. */
  async record({ connections }: GatewayWork): Promise<void> {
    if (connections === undefined) return;
    this.#askedAt = Date.now();
    const masked = connections.map(({ error, ...rest }) => ({
      ...rest,
      ...(error !== undefined && { error: this.#o.mask(error) }),
    }));
    // Unchanged reports are frequent.
    if (JSON.stringify(masked) !== JSON.stringify(await this.#last())) await this.#o.storage.put(KEY, masked);
  }

  /** Forgets the report: the gateway restarts with other channels. */
  async forget(): Promise<void> {
    this.#askedAt = Number.NEGATIVE_INFINITY;
    await this.#o.storage.delete(KEY);
  }

  /** Returns the socket channels. Does not wake the sandbox, and does not reject. */
  async status(isAwake: boolean): Promise<SocketChannel[]> {
    if (isAwake) await Promise.race([this.#ask(), new Promise((resolve) => setTimeout(resolve, WAIT_MS))]);
    const last = await this.#last();
    const connected = this.#o.connected();
    const own = this.#own();
    const isOwn = ({ messenger, account, cause }: ChannelConnection) =>
      account === ACCOUNT && (cause ? connected : own).some(({ kind }) => messengerOf(kind) === messenger);
    const unreported = own
      .map(({ kind }) => ({ messenger: messengerOf(kind), account: ACCOUNT, condition: "connecting" as const }))
      .filter(({ messenger }) => !last.some((one) => one.messenger === messenger && one.account === ACCOUNT));
    return [...last, ...unreported].map((one) => ({
      ...one,
      isOwn: isOwn(one),
      // A failure remains to be mended after the next wake.
      condition: isAwake || one.condition === "failed" ? one.condition : "offline_while_asleep",
    }));
  }

  /** Calls `wake` once when a plan begins to keep the gateway awake for socket channels. @throws what `wake` throws; the next call repeats it */
  async follow(keepsAwake: boolean, wake: () => Promise<unknown>): Promise<void> {
    const before = await this.#o.storage.get(KEPT_KEY);
    if (before === keepsAwake) return;
    if (keepsAwake && before === false && this.#own().length > 0) await wake();
    await this.#o.storage.put(KEPT_KEY, keepsAwake);
  }

  /** Returns the socket channels that the platform connected. */
  #own(): readonly Channel[] {
    return this.#o.connected().filter(({ kind }) => termsOf(kind).transport === "socket");
  }

  /** Returns the connections that failed. Asks only a gateway that has or had socket channels. */
  async failed(isAwake: boolean): Promise<SocketChannel[]> {
    if (this.#own().length === 0 && (await this.#last()).length === 0) return [];
    return (await this.status(isAwake)).filter(({ condition }) => condition === "failed");
  }

  async #last(): Promise<ChannelConnection[]> {
    return stored.parse((await this.#o.storage.get(KEY)) ?? []);
  }

  #ask(): Promise<void> {
    if (this.#asking !== undefined) return this.#asking;
    if (Date.now() - this.#askedAt < FRESH_MS) return Promise.resolve();
    this.#askedAt = Date.now();
    const asking = this.#o.sandbox
      .reportWork(AbortSignal.timeout(ASK_TIMEOUT_MS))
      .then((work) => work && this.record(work))
      // A gateway that starts does not respond.
      .catch(() => {})
      .finally(() => {
        this.#asking = undefined;
      });
    this.#asking = asking;
    this.#o.waitUntil(asking);
    return asking;
  }
}
