/**
 * A stand-in for Telegram's Bot API with one bot, on 127.0.0.1, after https://core.telegram.org/bots/api. Descriptions of errors are those of
 * Telegram's own server, https://github.com/tdlib/telegram-bot-api.
 *
 * Differences from Telegram:
 *   - It has the methods in {@link METHODS}, and responds to others as to an unknown method.
 *   - Webhooks are called by `deliver` instead of DNS and TLS. The HTTPS URL and its port are checked all the same.
 *   - Updates wait until the test calls {@link TelegramApi.deliver}, once, or {@link TelegramApi.deliverAll}, as Telegram repeats them.
 *   - Only chats that wrote to the bot exist. Text formatting is not checked.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import {
  badRequest,
  editMessageParameters,
  Failure,
  getUpdatesParameters,
  type Parameters,
  parametersOf,
  parsed,
  sendChatActionParameters,
  sendMessageParameters,
  setWebhookParameters,
} from "./telegram-parameters.ts";
import { ChatQueues, isAccepted, type WebhookAnswer } from "./telegram-queues.ts";
import { VendorServer } from "./vendor-server.ts";

/** Ports of webhooks: https://core.telegram.org/bots/api#setwebhook. */
const WEBHOOK_PORTS = new Set(["", "443", "80", "88", "8443"]);
/** Characters of a message: https://core.telegram.org/bots/api#sendmessage. */
const MAX_TEXT = 4096;

export interface TelegramMessage {
  message_id: number;
  date: number;
  chat: { id: number; type: "private"; first_name: string };
  text: string;
}

export interface TelegramUpdate {
  update_id: number;
  message: TelegramMessage & { from: { id: number; is_bot: boolean; first_name: string } };
}

/** A request of Telegram to a webhook. */
export interface WebhookCall {
  url: string;
  headers: Record<string, string>;
  body: string;
}

interface Webhook {
  url: string;
  secretToken: string | undefined;
  allowedUpdates: string[] | undefined;
  maxConnections: number;
  lastError?: { last_error_date: number; last_error_message: string };
}

/** Supported methods in lower case: names of methods are case-insensitive. */
const METHODS: Record<string, (api: TelegramApi, parameters: Parameters) => unknown> = {
  getme: (api) => api.bot,
  setwebhook: (api, parameters) => api.setWebhook(parameters),
  deletewebhook: (api, parameters) => api.setWebhook({ ...parameters, url: "" }),
  getwebhookinfo: (api) => api.webhookInfo(),
  getupdates: (api, parameters) => api.getUpdates(parameters),
  sendmessage: (api, parameters) => api.sendMessage(parameters),
  editmessagetext: (api, parameters) => api.editMessageText(parameters),
  sendchataction: (api, parameters) => api.sendChatAction(parameters),
  setmycommands: () => true,
  deletemycommands: () => true,
};

export class TelegramApi extends VendorServer {
  readonly token: string;
  readonly bot = {
    id: 7_000_000_001,
    is_bot: true,
    first_name: "Acme",
    username: "acme_test_bot",
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
  };
  /** Names of called methods, in order. Calls with a wrong token are not included. */
  readonly calls: string[] = [];
  /** Names of called methods that do not exist here. */
  readonly unknown = new Set<string>();
  /** Status of each call of the webhook. */
  readonly answers: number[] = [];
  /** Runs after each call of a method. */
  onCall: (method: string) => void = () => {};
  /** Messages of the bot, with their last text. */
  readonly sent: TelegramMessage[] = [];
  readonly #deliver: (call: WebhookCall) => Promise<WebhookAnswer>;
  readonly #chats = new Map<number, TelegramMessage["chat"]>();
  readonly #queues = new ChatQueues<TelegramUpdate>({
    next: (chat) => this.#pending.find(({ message }) => message.chat.id === chat),
    attempt: (update) => this.#attempt(update),
    drop: (update) => this.#remove(update),
  });
  #webhook: Webhook | undefined;
  #pending: TelegramUpdate[] = [];
  #lastUpdate = 100_000;
  #lastMessage = 0;

  private constructor(token: string, deliver: (call: WebhookCall) => Promise<WebhookAnswer>) {
    super();
    this.token = token;
    this.#deliver = deliver;
  }

  /** @param deliver calls the webhook @param port Default: any free one */
  static async open(
    token: string,
    deliver: (call: WebhookCall) => Promise<WebhookAnswer>,
    port?: number,
  ): Promise<TelegramApi> {
    const api = new TelegramApi(token, deliver);
    await api.listen((request, response) => api.#answer(request, response), undefined, port);
    return api;
  }

  get webhook(): Readonly<Webhook> | undefined {
    return this.#webhook;
  }

  /** Sends a message to the bot. It is pending until the bot accepts it. */
  write(from: { id: number; first_name: string }, message: string): TelegramUpdate {
    const chat = { id: from.id, type: "private" as const, first_name: from.first_name };
    this.#chats.set(chat.id, chat);
    const update = {
      update_id: ++this.#lastUpdate,
      message: { ...this.#message(chat, message), from: { ...from, is_bot: false } },
    };
    this.#pending.push(update);
    return update;
  }

  /** Calls the webhook once for each pending update. @returns the status of each call */
  async deliver(): Promise<number[]> {
    const statuses: number[] = [];
    if (this.#webhook !== undefined)
      for (const update of [...this.#pending]) statuses.push((await this.#attempt(update)).status);
    return statuses;
  }

  /** Calls the webhook until no update is pending. */
  async deliverAll(): Promise<void> {
    await Promise.all(this.#pending.map(({ message }) => this.#queues.run(message.chat.id)));
  }

  async #attempt(update: TelegramUpdate): Promise<WebhookAnswer> {
    const webhook = this.#webhook;
    // Telegram calls nothing until there is a webhook.
    if (webhook === undefined) return { status: 0, retryAfter: 1 };
    const { url, secretToken } = webhook;
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (secretToken !== undefined) headers["x-telegram-bot-api-secret-token"] = secretToken;
    const answer = await this.#deliver({ url, headers, body: JSON.stringify(update) });
    if (isAccepted(answer)) this.#remove(update);
    else
      webhook.lastError = {
        last_error_date: Math.floor(Date.now() / 1000),
        last_error_message: `Wrong response from the webhook: ${answer.status}`,
      };
    this.answers.push(answer.status);
    return answer;
  }

  #remove(update: TelegramUpdate): void {
    this.#pending = this.#pending.filter((other) => other !== update);
  }

  setWebhook(parameters: Parameters): true {
    const order = parsed(setWebhookParameters, parameters);
    if (order.drop_pending_updates) this.#pending = [];
    if (order.url === "") {
      this.#webhook = undefined;
      return true;
    }
    const url = URL.canParse(order.url) ? new URL(order.url) : undefined;
    if (url?.protocol !== "https:") throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
    if (!WEBHOOK_PORTS.has(url.port))
      throw badRequest("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443");
    if (order.secret_token !== undefined && order.secret_token.length > 256)
      throw badRequest("secret token is too long");
    if (order.secret_token !== undefined && !/^[\w-]*$/.test(order.secret_token))
      throw badRequest("secret token contains unallowed characters");
    this.#webhook = {
      url: order.url,
      secretToken: order.secret_token || undefined,
      allowedUpdates: order.allowed_updates ?? this.#webhook?.allowedUpdates,
      maxConnections: order.max_connections,
    };
    return true;
  }

  webhookInfo(): object {
    const { url = "", maxConnections, allowedUpdates, lastError } = this.#webhook ?? {};
    return {
      url,
      has_custom_certificate: false,
      pending_update_count: this.#pending.length,
      ...lastError,
      ...(maxConnections && { max_connections: maxConnections }),
      ...(allowedUpdates && { allowed_updates: allowedUpdates }),
    };
  }

  getUpdates(parameters: Parameters): TelegramUpdate[] {
    if (this.#webhook !== undefined)
      throw new Failure(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    const { offset, limit } = parsed(getUpdatesParameters, parameters);
    if (offset < 0) this.#pending = this.#pending.slice(offset);
    else this.#pending = this.#pending.filter(({ update_id }) => update_id >= offset);
    return this.#pending.slice(0, limit);
  }

  sendMessage(parameters: Parameters): TelegramMessage {
    const { chat_id, text } = parsed(sendMessageParameters, parameters);
    const chat = this.#chat(chat_id);
    const message = this.#message(chat, checkedText(text));
    this.sent.push(message);
    return message;
  }

  editMessageText(parameters: Parameters): TelegramMessage {
    const { chat_id, message_id, text } = parsed(editMessageParameters, parameters);
    this.#chat(chat_id);
    const message = this.sent.find((sent) => sent.chat.id === chat_id && sent.message_id === message_id);
    if (message === undefined) throw badRequest("message to edit not found");
    if (message.text === checkedText(text))
      throw badRequest(
        "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
      );
    message.text = text;
    return message;
  }

  sendChatAction(parameters: Parameters): true {
    this.#chat(parsed(sendChatActionParameters, parameters).chat_id);
    return true;
  }

  #chat(id: number): TelegramMessage["chat"] {
    const chat = this.#chats.get(id);
    if (chat === undefined) throw badRequest("chat not found");
    return chat;
  }

  #message(chat: TelegramMessage["chat"], text: string): TelegramMessage {
    return { message_id: ++this.#lastMessage, date: Math.floor(Date.now() / 1000), chat, text };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let status = 200;
    let answer: object;
    try {
      answer = { ok: true, result: await this.#call(request) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      status = error.status;
      answer = { ok: false, error_code: status, description: error.message };
    }
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  }

  async #call(request: IncomingMessage): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://api.telegram.org");
    const [, token, method = ""] = /^\/bot(\d+:[\w-]+)\/(\w+)$/.exec(pathname) ?? [];
    if (token === undefined) throw new Failure(404, "Not Found");
    const parameters = { ...Object.fromEntries(searchParams), ...parametersOf(request, await text(request)) };
    if (token !== this.token) throw new Failure(401, "Unauthorized");
    this.calls.push(method);
    this.onCall(method);
    const run = METHODS[method.toLowerCase()];
    if (run === undefined) {
      this.unknown.add(method);
      throw new Failure(404, "Not Found");
    }
    return run(this, parameters);
  }
}

function checkedText(text: string): string {
  if (text.trim() === "") throw badRequest("message text is empty");
  if (text.length > MAX_TEXT) throw badRequest("message is too long");
  return text;
}
