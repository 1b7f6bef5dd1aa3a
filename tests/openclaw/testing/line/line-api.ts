/**
 * A stand-in for LINE's Messaging API with one channel, on 127.0.0.1: https://developers.line.biz/en/reference/messaging-api.
 *
 * Differences from LINE:
 *   - It has the routes in {@link ROUTES}. Others are recorded in `unknown`, and refused as routes that do not exist.
 *   - Only chats with people exist. Messages other than text are counted and not checked.
 *   - A reply token is documented to be valid for one minute, and may be valid longer: not here.
 */
import { createHmac, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { VendorServer } from "../vendor-server.ts";

/** https://developers.line.biz/en/reference/messaging-api/#send-reply-message-reply-token */
const REPLY_MS = 60_000;

interface LineChannel {
  token: string;
  secret: string;
  botId: string;
}

export interface LineMessage {
  to: string;
  text: string;
  by: "reply" | "push";
}

/** An error of LINE: https://developers.line.biz/en/reference/messaging-api/#error-responses. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** https://developers.line.biz/en/reference/messaging-api/#text-message */
const message = z.union([
  z.object({ type: z.literal("text"), text: z.string().min(1).max(5000) }),
  z.object({ type: z.enum(["sticker", "image", "video", "audio", "location", "imagemap", "template", "flex"]) }),
]);
const messages = z.array(message).min(1).max(5);
const reply = z.object({ replyToken: z.string(), messages });
const push = z.object({ to: z.string(), messages });
/** https://developers.line.biz/en/reference/messaging-api/#display-a-loading-indicator */
const loading = z.object({ chatId: z.string(), loadingSeconds: z.number().multipleOf(5).min(5).max(60).default(20) });

interface Call {
  body: unknown;
  /** Variable part of the path. */
  id: string;
  retryKey: string | undefined;
}

const ROUTES: Readonly<Record<string, (api: LineApi, call: Call) => object>> = {
  "GET /v2/bot/info": (api) => api.info,
  "GET /v2/bot/channel/webhook/endpoint": (api) => api.webhook(),
  "GET /v2/bot/profile/*": (api, { id }) => api.profile(id),
  "GET /v2/bot/message/quota": () => ({ type: "limited", value: 200 }),
  "GET /v2/bot/message/quota/consumption": (api) => ({ totalUsage: api.sent.length }),
  "POST /v2/bot/message/reply": (api, { body }) => api.reply(body),
  "POST /v2/bot/message/push": (api, { body, retryKey }) => api.push(body, retryKey),
  "POST /v2/bot/chat/loading/start": (api, { body }) => api.startLoading(body),
};
const PATTERNS = Object.entries(ROUTES).map(([name, run]) => ({
  run,
  pattern: new RegExp(`^${name.replace("*", "([^/]+)")}$`),
}));

export class LineApi extends VendorServer {
  /** Messages of the bot. */
  readonly sent: LineMessage[] = [];
  /** Requests for routes that do not exist here. */
  readonly unknown = new Set<string>();
  /** Refused requests with the channel's token, as `METHOD PATH STATUS MESSAGE`. */
  readonly refused: string[] = [];
  /** The Webhook URL that is entered in the console. */
  endpoint: string | undefined;
  readonly #channel: LineChannel;
  readonly #people = new Map<string, string>();
  readonly #replyTokens = new Map<string, { to: string; until: number }>();
  /** Accepted ones, with their response. */
  readonly #retryKeys = new Map<string, object>();
  #last = 0;

  private constructor(channel: LineChannel) {
    super();
    this.#channel = channel;
  }

  static async open(channel: LineChannel): Promise<LineApi> {
    const api = new LineApi(channel);
    await api.listen((request, response) => api.#respond(request, response));
    return api;
  }

  get info(): object {
    return {
      userId: this.#channel.botId,
      basicId: "@acme",
      displayName: "Acme",
      chatMode: "bot",
      markAsReadMode: "auto",
    };
  }

  addPerson(id: string, name: string): void {
    this.#people.set(id, name);
  }

  /** A person writes to the bot. @returns the request to the Webhook URL, https://developers.line.biz/en/reference/messaging-api/#webhooks */
  write(userId: string, content: string): { headers: Record<string, string>; body: string } {
    this.profile(userId);
    const replyToken = randomUUID().replaceAll("-", "");
    this.#replyTokens.set(replyToken, { to: userId, until: Date.now() + REPLY_MS });
    const event = {
      type: "message",
      message: { type: "text", id: this.#nextId(), quoteToken: randomUUID(), text: content },
      webhookEventId: `01H${randomUUID().replaceAll("-", "").slice(0, 23).toUpperCase()}`,
      deliveryContext: { isRedelivery: false },
      timestamp: Date.now(),
      source: { type: "user", userId },
      replyToken,
      mode: "active",
    };
    const body = JSON.stringify({ destination: this.#channel.botId, events: [event] });
    // https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature
    const signature = createHmac("sha256", this.#channel.secret).update(body).digest("base64");
    return { headers: { "content-type": "application/json; charset=utf-8", "x-line-signature": signature }, body };
  }

  webhook(): object {
    if (this.endpoint === undefined) throw new Refusal(404, "Webhook endpoint not found");
    return { endpoint: this.endpoint, active: true };
  }

  profile(userId: string): object {
    const displayName = this.#people.get(userId);
    if (displayName === undefined) throw new Refusal(404, "Not found");
    return { userId, displayName, language: "en" };
  }

  reply(body: unknown): object {
    const given = parsed(reply, body);
    const token = this.#replyTokens.get(given.replyToken);
    if (token === undefined || token.until < Date.now()) throw new Refusal(400, "Invalid reply token");
    this.#replyTokens.delete(given.replyToken);
    return this.#send(token.to, given.messages, "reply");
  }

  /** https://developers.line.biz/en/docs/messaging-api/retrying-api-request */
  push(body: unknown, retryKey: string | undefined): object {
    if (retryKey !== undefined && !z.uuid().safeParse(retryKey).success) throw new Refusal(400, "Invalid retry key");
    const accepted = this.#retryKeys.get(retryKey ?? "");
    if (accepted !== undefined) throw new Refusal(409, "The retry key is already accepted");
    const { to, messages: list } = parsed(push, body);
    if (!this.#people.has(to))
      throw new Refusal(400, "The property, 'to', in the request body is invalid (line: -, column: -)");
    const answer = this.#send(to, list, "push");
    if (retryKey !== undefined) this.#retryKeys.set(retryKey, answer);
    return answer;
  }

  startLoading(body: unknown): object {
    const { chatId } = parsed(loading, body);
    if (!this.#people.has(chatId)) throw new Refusal(400, "Invalid chatId");
    return {};
  }

  #send(to: string, list: z.infer<typeof messages>, by: LineMessage["by"]): object {
    for (const one of list) this.sent.push({ to, text: "text" in one ? one.text : "", by });
    return { sentMessages: list.map(() => ({ id: this.#nextId(), quoteToken: randomUUID() })) };
  }

  #nextId(): string {
    this.#last += 1;
    return String(461_230_966_842_064_000n + BigInt(this.#last));
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = `${request.method} ${new URL(request.url ?? "/", this.url).pathname}`;
    let status = 200;
    let body: object;
    try {
      if (request.headers.authorization !== `Bearer ${this.#channel.token}`) throw UNAUTHORIZED;
      const route = PATTERNS.find(({ pattern }) => pattern.test(call));
      if (route === undefined) {
        this.unknown.add(call);
        throw new Refusal(404, "Not found");
      }
      const [, id = ""] = route.pattern.exec(call) ?? [];
      const [retryKey] = [request.headers["x-line-retry-key"]].flat();
      body = route.run(this, { id, body: jsonOf(await text(request)), retryKey });
      // https://developers.line.biz/en/reference/messaging-api/#display-a-loading-indicator
      if (call.endsWith("/loading/start")) status = 202;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      ({ status } = error);
      if (error !== UNAUTHORIZED) this.refused.push(`${call} ${status} ${error.message}`);
      body = { message: error.message };
    }
    const headers = { "content-type": "application/json", "x-line-request-id": randomUUID() };
    response.writeHead(status, headers).end(JSON.stringify(body));
  }
}

const UNAUTHORIZED = new Refusal(
  401,
  "Authentication failed. Confirm that the access token in the authorization header is valid.",
);

function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data, error } = schema.safeParse(body);
  if (data === undefined) throw new Refusal(400, `The request body has ${error?.issues.length} error(s)`);
  return data;
}

function jsonOf(body: string): unknown {
  if (body === "") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(400, "The request body could not be parsed as JSON (line: 1, column: 1)");
  }
}
