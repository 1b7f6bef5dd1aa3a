/**
 * A stand-in for the APIs of messengers on one address, with the methods that the dashboard calls. Other paths and methods are refused.
 *
 *   - Telegram: https://core.telegram.org/bots/api. Errors are those of https://github.com/tdlib/telegram-bot-api.
 *   - Slack: https://docs.slack.dev/reference/methods/auth.test, https://docs.slack.dev/reference/methods/apps.connections.open
 *   - Discord: https://docs.discord.com/developers/resources/user#get-current-user,
 *     https://docs.discord.com/developers/resources/application#get-current-application
 *   - Matrix: https://spec.matrix.org/v1.16/client-server-api/#get_matrixclientv3accountwhoami
 *   - Others: `vendor-tokens.ts`
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { type Answer, answerTokens } from "./vendor-tokens.ts";

export interface Bot {
  id: string;
  name: string;
}

export interface VendorApis {
  url: string;
  /** Bots by valid token. */
  bots: Map<string, Bot>;
  /** Valid app tokens of Slack. */
  appTokens: Set<string>;
  /** Flags of Discord's applications. */
  intents: number;
  /** Whether the projects of Google's service accounts have a Chat app. */
  chatApps: boolean;
  /** Registered webhooks, by ID of the bot. LINE's that are not used begin with `off:`. */
  webhooks: Map<string, string>;
  /** Received requests, as `METHOD path` without the token. */
  heard: string[];
  /** Responses to the next requests instead of the vendor's, or what happens before the vendor's response. */
  next: (Answer | "hang" | (() => Promise<void>))[];
  /** Forgets bots, webhooks and requests. */
  reset(): void;
  stop(): Promise<void>;
}

/** GATEWAY_MESSAGE_CONTENT. */
const MESSAGE_CONTENT = 1 << 18;

export async function startVendorApis(): Promise<VendorApis> {
  const apis = {
    bots: new Map<string, Bot>(),
    appTokens: new Set<string>(),
    intents: MESSAGE_CONTENT,
    chatApps: true,
    webhooks: new Map<string, string>(),
  };
  const heard: string[] = [];
  const next: VendorApis["next"] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    heard.push(`${request.method} ${path.replace(/^\/bot[^/]*/, "/bot")}`);
    const planned = next.shift();
    if (typeof planned === "function") await planned();
    if (planned === "hang") return;
    const { method, headers } = request;
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
    const call = { call: `${method} ${path.split("?")[0]}`, bearer, body: await text(request) };
    const answer = typeof planned === "object" ? planned : await answerTokens(call, apis);
    send(response, answer ?? answerOf(request, path, apis));
  });
  const port = await listen(server, { port: 0 });
  const reset = () => {
    apis.bots.clear();
    apis.appTokens.clear();
    apis.intents = MESSAGE_CONTENT;
    apis.chatApps = true;
    apis.webhooks.clear();
    heard.length = 0;
    next.length = 0;
  };
  return Object.assign(apis, { url: `http://127.0.0.1:${port}`, heard, next, reset, stop: () => closeAndCut(server) });
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(sent);
}

type Known = Pick<VendorApis, "bots" | "appTokens" | "intents" | "webhooks">;

function answerOf(request: IncomingMessage, path: string, known: Known): Answer {
  const { method = "", headers } = request;
  if (path.startsWith("/bot")) return telegram(method, path, known);
  const { authorization = "" } = headers;
  const bot = known.bots.get(authorization.replace(/^(?:Bearer|Bot) /, ""));
  if (path.startsWith("/api/v10/") && method === "GET") {
    // https://docs.discord.com/developers/reference#user-agent; the response is that of github.com/discord/discord-api-docs/issues/6473.
    if (!/^DiscordBot \(https:\S+, \S+\)/.test(headers["user-agent"] ?? ""))
      return { status: 403, body: { message: "internal network error", code: 40_333 } };
    return discord(path, authorization.startsWith("Bot ") ? bot : undefined, known.intents);
  }
  if (path === "/_matrix/client/v3/account/whoami" && method === "GET") return matrix(headers.authorization, bot);
  if (path === "/api/apps.connections.open" && method === "POST") {
    const isKnown = known.appTokens.has(authorization.replace(/^Bearer /, ""));
    const answer = isKnown
      ? { ok: true, url: "wss://wss-primary.slack.com/link/?ticket=1" }
      : { ok: false, error: "invalid_auth" };
    return { status: 200, body: answer };
  }
  if (path === "/api/auth.test" && method === "POST") return slack(headers.authorization, bot);
  return { status: 404, body: { message: "Not found" } };
}

function telegram(method: string, path: string, { bots, webhooks }: Known): Answer {
  const fail = (status: number, description: string) => ({
    status,
    body: { ok: false, error_code: status, description },
  });
  const [, token, call = ""] = /^\/bot(\d+:[\w-]+)\/(\w+)$/.exec(path) ?? [];
  if (token === undefined || !["GET", "POST"].includes(method)) return fail(404, "Not Found");
  const bot = bots.get(token);
  if (bot === undefined) return fail(401, "Unauthorized");
  const url = webhooks.get(bot.id) ?? "";
  const results: Record<string, () => unknown> = {
    getMe: () => ({ id: Number(bot.id), is_bot: true, first_name: "Bot", username: bot.name }),
    getWebhookInfo: () => ({ url, has_custom_certificate: false, pending_update_count: 0 }),
    deleteWebhook: () => webhooks.delete(bot.id) || true,
  };
  const run = results[call];
  return run === undefined ? fail(404, "Not Found") : { status: 200, body: { ok: true, result: run() } };
}

function slack(authorization: string | undefined, bot: Bot | undefined): Answer {
  if (authorization === undefined) return { status: 200, body: { ok: false, error: "not_authed" } };
  if (bot === undefined) return { status: 200, body: { ok: false, error: "invalid_auth" } };
  const [team_id, user_id] = bot.id.split(":");
  const body = { ok: true, url: "https://acme.slack.com/", team: "Acme", user: bot.name, team_id, user_id };
  return { status: 200, body: { ...body, bot_id: "B1", is_enterprise_install: false } };
}

function discord(path: string, bot: Bot | undefined, flags: number): Answer {
  if (bot === undefined) return { status: 401, body: { message: "401: Unauthorized", code: 0 } };
  if (path === "/api/v10/users/@me") {
    return { status: 200, body: { id: bot.id, username: bot.name, discriminator: "0", global_name: null, bot: true } };
  }
  if (path === "/api/v10/applications/@me") return { status: 200, body: { id: bot.id, name: bot.name, flags } };
  return { status: 404, body: { message: "404: Not Found", code: 0 } };
}

function matrix(authorization: string | undefined, bot: Bot | undefined): Answer {
  if (authorization === undefined) return { status: 401, body: { errcode: "M_MISSING_TOKEN", error: "Missing token" } };
  if (bot === undefined) return { status: 401, body: { errcode: "M_UNKNOWN_TOKEN", error: "Invalid access token" } };
  return { status: 200, body: { user_id: bot.id, device_id: "ABC", is_guest: false } };
}
