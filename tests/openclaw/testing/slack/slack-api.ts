/**
 * A stand-in for Slack's Web API on 127.0.0.1, with one app: https://docs.slack.dev/apis/web-api.
 *
 * Differences from Slack:
 *   - It has the methods in {@link METHODS}. A known method without `run` only checks token and scope. It is recorded in `unknown`, like a method
 *     that is not in the table, and refused as one that does not exist.
 *   - Only the direct messages of {@link Workspace} exist. Text formatting and blocks are not checked.
 *   - Slack allows bursts above its rates, and does not document how large. Here, the test limits a method: `limited`.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { VendorServer } from "../vendor-server.ts";
import { SocketMode } from "./socket-mode.ts";
import { type Arguments, Failure, isText, Workspace } from "./workspace.ts";

interface Method {
  /** Scopes of which one is needed. Default: none is needed. */
  scopes?: readonly string[];
  /** Scopes that are all needed for these arguments. */
  scopesFor?: (given: Arguments) => readonly string[];
  /** Whether it needs an app-level token in the header, and not a bot's. */
  isForApps?: true;
  /** Required arguments. */
  needs?: readonly string[];
  /** Whether arguments may be JSON: https://docs.slack.dev/apis/web-api#methods_supporting_json. */
  takesJson?: true;
  run?: (workspace: Workspace, given: Arguments, api: SlackApi) => object;
}

/** Scopes of `conversations.list`, by type. */
const LISTED: Readonly<Record<string, string>> = {
  public_channel: "channels:read",
  private_channel: "groups:read",
  mpim: "mpim:read",
  im: "im:read",
};
const typesOf = ({ types }: Arguments): string[] => (isText(types) ? types : "public_channel").split(",");
/** Scopes of a message's methods. */
const WRITES = { scopes: ["chat:write"], takesJson: true } as const;
const READS_CHANNEL = { scopes: ["im:read"], needs: ["channel"] } as const;
const ASSISTANT = { scopes: ["assistant:write"], takesJson: true } as const;
const REACTIONS = { scopes: ["reactions:write"], takesJson: true } as const;

/** After each method's page: https://docs.slack.dev/reference/methods/METHOD. */
const METHODS: Readonly<Record<string, Method>> = {
  "auth.test": { takesJson: true, run: (workspace) => workspace.identity() },
  "apps.connections.open": { isForApps: true, takesJson: true, run: (_workspace, _given, api) => api.openConnection() },
  "chat.postMessage": { ...WRITES, needs: ["channel"], run: (workspace, given) => workspace.post(given) },
  "chat.update": { ...WRITES, needs: ["channel", "ts"], run: (workspace, given) => workspace.update(given) },
  "chat.delete": { ...WRITES, needs: ["channel", "ts"], run: (workspace, given) => workspace.remove(given) },
  "chat.startStream": { ...WRITES, needs: ["channel", "thread_ts"] },
  "conversations.open": { scopes: ["im:write"], takesJson: true, run: (workspace, given) => workspace.open(given) },
  "conversations.info": {
    ...READS_CHANNEL,
    run: (workspace, { channel }) => ({ channel: workspace.conversation(channel) }),
  },
  "conversations.members": { ...READS_CHANNEL, run: (workspace, given) => workspace.members(given) },
  "conversations.list": {
    scopesFor: (given) =>
      typesOf(given).map((type) => {
        if (LISTED[type] === undefined) throw new Failure("invalid_types");
        return LISTED[type];
      }),
    run: (workspace, given) => workspace.conversations(typesOf(given)),
  },
  "conversations.history": {
    scopes: ["im:history"],
    needs: ["channel"],
    run: (workspace, given) => workspace.history(given),
  },
  "conversations.replies": {
    scopes: ["im:history"],
    needs: ["channel", "ts"],
    run: (workspace, given) => workspace.replies(given),
  },
  "users.info": { scopes: ["users:read"], needs: ["user"], run: (workspace, given) => workspace.user(given) },
  "users.list": { scopes: ["users:read"] },
  "assistant.threads.setStatus": ASSISTANT,
  "reactions.add": REACTIONS,
  "reactions.remove": REACTIONS,
};

/** https://docs.slack.dev/apis/web-api#evaluating-responses */
interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: object;
}

interface SlackApp {
  /** The bot's token. */
  token: string;
  /** Scopes of the bot. */
  scopes: readonly string[];
  /** With the scope `connections:write`. Undefined: Socket Mode is off. */
  appToken?: string;
}

export class SlackApi extends VendorServer {
  readonly workspace = new Workspace();
  /** Methods that were called with a valid token, in order. */
  readonly calls: string[] = [];
  /** Called methods that do not exist here. */
  readonly unknown = new Set<string>();
  /** Refused calls with a valid token, as `METHOD ERROR`. */
  readonly refused = new Set<string>();
  /** By method: how many seconds later the next call may be repeated. */
  readonly limited = new Map<string, number>();
  readonly socketMode = new SocketMode();
  readonly #app: SlackApp;

  private constructor(app: SlackApp) {
    super();
    this.#app = app;
  }

  static async open(app: SlackApp): Promise<SlackApi> {
    const api = new SlackApi(app);
    await api.listen(
      (request, response) => api.#respond(request, response),
      (socket, url) => api.socketMode.connect(socket, url),
    );
    return api;
  }

  openConnection(): object {
    return { url: `${this.url.replace("http", "ws")}${this.socketMode.newTicket()}` };
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await this.#answer(request);
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
    response.end(JSON.stringify(body));
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "https://slack.com");
    const [, name] = /^\/api\/([\w.]+)$/.exec(pathname) ?? [];
    if (name === undefined) return { status: 404, body: {} };
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (method?.run === undefined) this.unknown.add(name);
    const scopes = {
      "x-oauth-scopes": this.#app.scopes.join(),
      "x-accepted-oauth-scopes": method?.scopes?.join() ?? "",
    };
    try {
      if (method === undefined) throw new Failure("unknown_method", { req_method: name });
      const { form, json } = bodyOf(request, await text(request));
      const token = this.#authenticated(tokenOf(request, method.isForApps === true ? {} : form));
      this.calls.push(name);
      if ((token === this.#app.appToken) !== (method.isForApps === true)) throw new Failure("not_allowed_token_type");
      const seconds = this.limited.get(name);
      this.limited.delete(name);
      if (seconds !== undefined) {
        const body = { ok: false, error: "ratelimited" };
        // https://docs.slack.dev/apis/web-api/rate-limits#headers
        return { status: 429, headers: { "retry-after": String(seconds) }, body };
      }
      const { token: _, ...given } = { ...Object.fromEntries(searchParams), ...form, ...(method.takesJson && json) };
      return { status: 200, headers: scopes, body: { ok: true, ...this.#run(name, method, given) } };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (this.calls.at(-1) === name) this.refused.add(`${name} ${error.message}`);
      return { status: 200, headers: scopes, body: { ok: false, error: error.message, ...error.details } };
    }
  }

  #authenticated(token: string | undefined): string {
    if (token === undefined) throw new Failure("not_authed");
    if (token !== this.#app.token && token !== this.#app.appToken) throw new Failure("invalid_auth");
    return token;
  }

  #run(name: string, { scopes = [], scopesFor, needs = [], run }: Method, given: Arguments): object {
    if (scopes.length > 0 && !scopes.some((scope) => this.#app.scopes.includes(scope))) throw this.#lacks(scopes);
    const lacking = (scopesFor?.(given) ?? []).filter((scope) => !this.#app.scopes.includes(scope));
    if (lacking.length > 0) throw this.#lacks(lacking);
    const missing = needs.filter((argument) => !isText(given[argument]));
    if (missing.length > 0) {
      const messages = missing.map((argument) => `[ERROR] missing required field: ${argument}`);
      throw new Failure("invalid_arguments", { response_metadata: { messages } });
    }
    if (run === undefined) throw new Failure("unknown_method", { req_method: name });
    return run(this.workspace, given, this);
  }

  #lacks(scopes: readonly string[]): Failure {
    return new Failure("missing_scope", { needed: scopes.join(), provided: this.#app.scopes.join() });
  }
}

/** Neither a query nor JSON can have the token: https://docs.slack.dev/authentication/tokens, https://docs.slack.dev/apis/web-api#posting_json. */
function tokenOf({ headers }: IncomingMessage, form: Record<string, string>): string | undefined {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? form.token;
}

/** https://docs.slack.dev/apis/web-api#post-bodies */
function bodyOf(
  { method, headers }: IncomingMessage,
  body: string,
): { form: Record<string, string>; json?: Arguments } {
  if (method === "GET" || body === "") return { form: {} };
  const [type] = (headers["content-type"] ?? "").split(";");
  if (type === "") throw new Failure("missing_post_type");
  if (type === "application/x-www-form-urlencoded") return { form: Object.fromEntries(new URLSearchParams(body)) };
  if (type !== "application/json") throw new Failure("invalid_post_type");
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new Failure("invalid_json");
  }
  const { data } = z.record(z.string(), z.unknown()).safeParse(json);
  if (data === undefined) throw new Failure("json_not_object");
  return { form: {}, json: data };
}
