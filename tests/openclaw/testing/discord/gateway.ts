/**
 * Discord's gateway for one bot, with JSON and without compression: https://docs.discord.com/developers/events/gateway. Close codes are those of
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes.
 *
 * Not documented, and strict here: a connection without heartbeats is closed after two intervals; a session that was not ended is resumed at any time.
 */
import { randomUUID } from "node:crypto";
import type { WebSocket } from "ws";
import * as z from "zod";

const HEARTBEAT_MS = 41_250;
/** https://docs.discord.com/developers/events/gateway#sending-events */
const MAX_BYTES = 4096;
/** https://docs.discord.com/developers/events/gateway#rate-limiting */
const MAX_PER_MINUTE = 120;
const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  resume: 6,
  reconnect: 7,
  invalid: 9,
  hello: 10,
  ack: 11,
};
const CLOSE = {
  unknownOpcode: 4001,
  decodeError: 4002,
  notAuthenticated: 4003,
  authenticationFailed: 4004,
  alreadyAuthenticated: 4005,
  invalidSequence: 4007,
  rateLimited: 4008,
  sessionTimedOut: 4009,
  invalidShard: 4010,
  invalidVersion: 4012,
  invalidIntents: 4013,
  disallowedIntents: 4014,
};
/** https://docs.discord.com/developers/events/gateway#list-of-intents */
export const INTENT = {
  guildMembers: 1 << 1,
  guildPresences: 1 << 8,
  directMessages: 1 << 12,
  messageContent: 1 << 15,
};
/** Flags of the application of which one permits a privileged intent: https://docs.discord.com/developers/resources/application#application-object-application-flags. */
const PRIVILEGES = [
  { intent: INTENT.guildPresences, flags: (1 << 12) | (1 << 13) },
  { intent: INTENT.guildMembers, flags: (1 << 14) | (1 << 15) },
  { intent: INTENT.messageContent, flags: (1 << 18) | (1 << 19) },
];
/** The highest is DIRECT_MESSAGE_POLLS. */
const ALL_INTENTS = 2 ** 26 - 1;

const payload = z.object({ op: z.number(), d: z.unknown() });
const identify = z.object({
  token: z.string(),
  intents: z.number().int(),
  properties: z.object({ os: z.string(), browser: z.string(), device: z.string() }),
  shard: z.tuple([z.number().int(), z.number().int()]).optional(),
});
const resume = z.object({ token: z.string(), session_id: z.string(), seq: z.number().int() });

interface GatewayBot {
  token: string;
  applicationId: string;
  /** Of the application. */
  flags: number;
  user: object;
}

interface Session {
  id: string;
  intents: number;
  events: { t: string; d: object }[];
  socket: WebSocket | undefined;
}

export class DiscordGateway {
  /** Codes with which connections were closed, by either side. */
  readonly closed: number[] = [];
  /** How often a session was started and resumed. */
  readonly handshakes = { identified: 0, resumed: 0 };
  readonly #bot: GatewayBot;
  readonly #url: () => string;
  #session: Session | undefined;

  /** @param url of the gateway */
  constructor(bot: GatewayBot, url: () => string) {
    this.#bot = bot;
    this.#url = url;
  }

  /** Whether the bot is online. */
  get isConnected(): boolean {
    return this.#session?.socket !== undefined;
  }

  connect(socket: WebSocket, { searchParams }: URL): void {
    const state = { isSilent: false, received: 0 };
    const heartbeats = setInterval(() => {
      if (state.isSilent) socket.close(CLOSE.sessionTimedOut);
      state.isSilent = true;
    }, HEARTBEAT_MS);
    const minutes = setInterval(() => {
      state.received = 0;
    }, 60_000);
    socket.on("close", (code) => {
      clearInterval(heartbeats);
      clearInterval(minutes);
      this.closed.push(code);
      if (this.#session?.socket !== socket) return;
      // These end the session: https://docs.discord.com/developers/events/gateway#initiating-a-disconnect.
      if (code === 1000 || code === 1001) this.#session = undefined;
      else this.#session.socket = undefined;
    });
    if (searchParams.get("v") !== "10" || searchParams.get("encoding") !== "json") {
      socket.close(CLOSE.invalidVersion);
      return;
    }
    socket.on("message", (data) => {
      state.received += 1;
      const code = state.received > MAX_PER_MINUTE ? CLOSE.rateLimited : this.#receive(socket, String(data), state);
      if (code !== undefined) socket.close(code);
    });
    send(socket, { op: OP.hello, d: { heartbeat_interval: HEARTBEAT_MS } });
  }

  /** Sends the bot an event, now or when it resumes. @param intent without which it gets none @returns whether it has that intent */
  dispatch(intent: number, t: string, d: object): boolean {
    const session = this.#session;
    if (session === undefined || (session.intents & intent) === 0) return false;
    this.#send(session, t, d);
    return true;
  }

  /** Asks the bot to connect again, as Discord regularly does: https://docs.discord.com/developers/events/gateway#reconnect. */
  reconnect(): void {
    const { socket } = this.#session ?? {};
    if (socket === undefined) throw new Error("the bot is offline");
    send(socket, { op: OP.reconnect, d: null });
  }

  /** @returns a code to close the connection with */
  #receive(socket: WebSocket, text: string, state: { isSilent: boolean }): number | undefined {
    const { op, d } = decoded(text) ?? {};
    if (op === undefined) return CLOSE.decodeError;
    if (op === OP.heartbeat) {
      state.isSilent = false;
      send(socket, { op: OP.ack });
      return undefined;
    }
    const isOwn = this.#session?.socket === socket;
    if (op === OP.identify || op === OP.resume) {
      if (isOwn) return CLOSE.alreadyAuthenticated;
      return op === OP.identify ? this.#identify(socket, d) : this.#resume(socket, d);
    }
    if (!isOwn) return CLOSE.notAuthenticated;
    // Updates of the presence show nothing here.
    return op === OP.presence ? undefined : CLOSE.unknownOpcode;
  }

  #identify(socket: WebSocket, d: unknown): number | undefined {
    const { data } = identify.safeParse(d);
    if (data === undefined) return CLOSE.decodeError;
    const { token, intents, shard } = data;
    const { flags } = this.#bot;
    if (token !== this.#bot.token) return CLOSE.authenticationFailed;
    if (shard !== undefined && (shard[0] !== 0 || shard[1] !== 1)) return CLOSE.invalidShard;
    if (intents < 0 || intents > ALL_INTENTS) return CLOSE.invalidIntents;
    if (PRIVILEGES.some((one) => (intents & one.intent) !== 0 && (flags & one.flags) === 0))
      return CLOSE.disallowedIntents;
    const session: Session = { id: randomUUID(), intents, events: [], socket };
    this.#session = session;
    this.handshakes.identified += 1;
    this.#send(session, "READY", {
      v: 10,
      user: this.#bot.user,
      guilds: [],
      session_id: session.id,
      resume_gateway_url: this.#url(),
      ...(shard !== undefined && { shard }),
      application: { id: this.#bot.applicationId, flags },
    });
    return undefined;
  }

  #resume(socket: WebSocket, d: unknown): number | undefined {
    const { data } = resume.safeParse(d);
    if (data === undefined) return CLOSE.decodeError;
    if (data.token !== this.#bot.token) return CLOSE.authenticationFailed;
    const session = this.#session;
    if (session === undefined || session.id !== data.session_id) {
      send(socket, { op: OP.invalid, d: false });
      return undefined;
    }
    if (data.seq < 0 || data.seq > session.events.length) return CLOSE.invalidSequence;
    session.socket?.close(CLOSE.sessionTimedOut);
    session.socket = socket;
    for (const [index, event] of session.events.entries())
      if (index >= data.seq) send(socket, { op: OP.dispatch, s: index + 1, ...event });
    this.handshakes.resumed += 1;
    this.#send(session, "RESUMED", {});
    return undefined;
  }

  #send(session: Session, t: string, d: object): void {
    session.events.push({ t, d });
    if (session.socket !== undefined) send(session.socket, { op: OP.dispatch, s: session.events.length, t, d });
  }
}

const send = (socket: WebSocket, message: object) => socket.send(JSON.stringify({ s: null, t: null, ...message }));

function decoded(text: string): z.infer<typeof payload> | undefined {
  if (Buffer.byteLength(text) > MAX_BYTES) return undefined;
  try {
    return payload.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
