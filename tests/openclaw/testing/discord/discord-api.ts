/**
 * A stand-in for Discord with one bot, on 127.0.0.1: its REST API, https://docs.discord.com/developers/reference, and its gateway.
 *
 * Differences from Discord:
 *   - It has the routes in {@link ROUTES}. Others are recorded in `unknown`, and refused as routes that do not exist.
 *   - Only direct messages with people exist. Embeds, components and files are not checked.
 *   - How many requests a route allows is not documented: here, five in five seconds for each route and channel.
 *   - Which programs Discord blocks is not documented: here, those without a `User-Agent`.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { VendorServer } from "../vendor-server.ts";
import { DirectMessages, Refusal } from "./direct-messages.ts";
import { DiscordGateway, INTENT } from "./gateway.ts";

/** https://docs.discord.com/developers/topics/rate-limits#header-format */
const LIMIT = 5;
const WINDOW_S = 5;

interface DiscordApp {
  token: string;
  applicationId: string;
  botId: string;
  /** https://docs.discord.com/developers/resources/application#application-object-application-flags */
  flags: number;
}

interface Call {
  api: DiscordApi;
  /** Variable parts of the path. */
  ids: string[];
  body: unknown;
}

type Route = (call: Call) => object | undefined;

/** https://docs.discord.com/developers/interactions/application-commands#registering-a-command */
const MAX_COMMANDS = 100;
const command = z.object({ name: z.string().min(1).max(32), type: z.number().default(1) }).loose();
const recipient = z.object({ recipient_id: z.string() });

/** After the pages of https://docs.discord.com/developers/resources. `*`: an ID. Default response: 204. */
const ROUTES: Readonly<Record<string, Route>> = {
  "GET /gateway/bot": ({ api }) => ({
    url: api.gatewayUrl,
    shards: 1,
    session_start_limit: { total: 1000, remaining: 1000, reset_after: 86_400_000, max_concurrency: 1 },
  }),
  "GET /users/@me": ({ api }) => api.user,
  "GET /users/*": ({ api, ids: [id] }) => api.messages.user(id),
  "GET /applications/@me": ({ api }) => api.application,
  "GET /oauth2/applications/@me": ({ api }) => api.application,
  "GET /applications/*/commands": ({ api, ids: [id] }) => api.commandsOf(id),
  "PUT /applications/*/commands": ({ api, ids: [id], body }) => api.setCommands(id, body),
  "POST /applications/*/commands": ({ api, ids: [id], body }) => api.addCommand(id, body),
  "POST /users/@me/channels": ({ api, body }) => api.messages.open(parsed(recipient, body).recipient_id),
  "GET /channels/*": ({ api, ids: [id] }) => api.messages.channel(id),
  "POST /channels/*/typing": ({ api, ids: [id] }) => void api.messages.channel(id),
  "GET /channels/*/messages": ({ api, ids: [id] }) => api.messages.history(id),
  "POST /channels/*/messages": ({ api, ids: [id], body }) => api.messages.post(id, body),
  "GET /channels/*/messages/*": ({ api, ids: [id, message] }) => api.messages.message(id, message),
  "PATCH /channels/*/messages/*": ({ api, ids: [id, message], body }) => api.messages.edit(id, message, body),
  "DELETE /channels/*/messages/*": ({ api, ids: [id, message] }) => api.messages.remove(id, message),
  "PUT /channels/*/messages/*/reactions/*/@me": ({ api, ids: [id, message] }) => void api.messages.message(id, message),
  "DELETE /channels/*/messages/*/reactions/*/@me": ({ api, ids: [id, message] }) =>
    void api.messages.message(id, message),
};
const PATTERNS = Object.entries(ROUTES).map(([name, run]) => ({
  name,
  run,
  pattern: new RegExp(`^${name.replaceAll("*", "([^/]+)")}$`),
}));

export class DiscordApi extends VendorServer {
  readonly messages: DirectMessages;
  readonly gateway: DiscordGateway;
  /** Requests with the bot's token, as `METHOD ROUTE`. */
  readonly calls: string[] = [];
  /** Requests for routes that do not exist here. */
  readonly unknown = new Set<string>();
  /** Refused requests with the bot's token, as `METHOD PATH STATUS CODE`. */
  readonly refused = new Set<string>();
  readonly #app: DiscordApp;
  readonly #buckets = new Map<string, { left: number; reset: number }>();
  readonly #commands = new Map<string, { id: string }>();

  private constructor(app: DiscordApp) {
    super();
    this.#app = app;
    this.messages = new DirectMessages(this.user);
    this.gateway = new DiscordGateway({ ...app, user: this.user }, () => this.gatewayUrl);
  }

  static async open(app: DiscordApp): Promise<DiscordApi> {
    const api = new DiscordApi(app);
    await api.listen(
      (request, response) => api.#respond(request, response),
      (socket, url) => api.gateway.connect(socket, url),
    );
    return api;
  }

  get gatewayUrl(): string {
    return this.url.replace("http", "ws");
  }

  get user(): object {
    return { id: this.#app.botId, username: "acme", discriminator: "0", global_name: null, avatar: null, bot: true };
  }

  get application(): object {
    const { applicationId: id, flags } = this.#app;
    return { id, name: "Acme", icon: null, description: "", bot_public: true, verify_key: "00", flags };
  }

  /** A person writes to the bot. @returns whether the bot gets an event */
  write(person: string, content: string): boolean {
    return this.gateway.dispatch(INTENT.directMessages, "MESSAGE_CREATE", this.messages.write(person, content));
  }

  commandsOf(application: string | undefined): object[] {
    if (application !== this.#app.applicationId) throw new Refusal(404, 10_002, "Unknown Application");
    return [...this.#commands.values()];
  }

  setCommands(application: string | undefined, body: unknown): object[] {
    const list = parsed(z.array(z.unknown()), body);
    this.commandsOf(application);
    this.#commands.clear();
    return list.map((one) => this.addCommand(application, one));
  }

  /** One of the same name and type is replaced. */
  addCommand(application: string | undefined, body: unknown): object {
    this.commandsOf(application);
    const given = parsed(command, body);
    const key = `${given.type} ${given.name}`;
    const known = this.#commands.get(key);
    if (known === undefined && this.#commands.size >= MAX_COMMANDS)
      throw new Refusal(400, 30_032, "Maximum number of application commands reached (100)");
    const id = known?.id ?? String(this.#commands.size + 1);
    const added = { application_id: application, version: "1", ...given, id };
    this.#commands.set(key, added);
    return added;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", this.url);
    const call = `${request.method} ${pathname.replace(/^\/api\/v10/, "")}`;
    const headers: Record<string, string> = { "content-type": "application/json" };
    let status = 200;
    let body: object | undefined;
    try {
      if (!pathname.startsWith("/api/v10/")) throw NOT_FOUND;
      // https://docs.discord.com/developers/reference#user-agent; the response is that of github.com/discord/discord-api-docs/issues/6473.
      if (!request.headers["user-agent"]) throw new Refusal(403, 40_333, "internal network error");
      if (request.headers.authorization !== `Bot ${this.#app.token}`) throw new Refusal(401, 0, "401: Unauthorized");
      const route = PATTERNS.find(({ pattern }) => pattern.test(call));
      if (route === undefined) {
        this.unknown.add(call);
        throw NOT_FOUND;
      }
      this.calls.push(route.name);
      const ids = (route.pattern.exec(call) ?? []).slice(1).map(decodeURIComponent);
      Object.assign(headers, this.#limits(`${route.name} ${ids[0]}`));
      body = route.run({ api: this, ids, body: jsonOf(await text(request)) });
      if (body === undefined) status = 204;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      ({ status } = error);
      if (status !== 401) this.refused.add(`${call} ${status} ${error.code}`);
      body = { message: error.message, code: error.code, ...error.details };
      if (status === 429) Object.assign(headers, error.headers);
    }
    response.writeHead(status, headers).end(body === undefined ? undefined : JSON.stringify(body));
  }

  /** Counts a request. @returns its headers */
  #limits(name: string): Record<string, string> {
    const now = Date.now() / 1000;
    const known = this.#buckets.get(name);
    const bucket = known !== undefined && known.reset > now ? known : { left: LIMIT, reset: now + WINDOW_S };
    this.#buckets.set(name, bucket);
    const wait = (bucket.reset - now).toFixed(3);
    bucket.left -= 1;
    const headers = {
      "x-ratelimit-limit": String(LIMIT),
      "x-ratelimit-remaining": String(Math.max(0, bucket.left)),
      "x-ratelimit-reset": bucket.reset.toFixed(3),
      "x-ratelimit-reset-after": wait,
      "x-ratelimit-bucket": Buffer.from(name).toString("base64url"),
    };
    if (bucket.left >= 0) return headers;
    const details = { retry_after: Number(wait), global: false };
    const also = { "x-ratelimit-scope": "user", "retry-after": String(Math.ceil(Number(wait))) };
    throw new Refusal(429, 0, "You are being rate limited.", details, { ...headers, ...also });
  }
}

const NOT_FOUND = new Refusal(404, 0, "404: Not Found");

/** https://docs.discord.com/developers/reference#error-messages */
function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data } = schema.safeParse(body);
  if (data === undefined) throw new Refusal(400, 50_035, "Invalid Form Body", { errors: {} });
  return data;
}

function jsonOf(body: string): unknown {
  if (body === "") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(400, 50_109, "The request body contains invalid JSON.");
  }
}
