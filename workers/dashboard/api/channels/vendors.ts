/** What the platform asks vendors of a bot: whether its token is valid, and where its webhooks go. */
import * as z from "zod";
import type { ChannelKind } from "#domain/channels/kinds.ts";
import { channelErrors } from "#domain/errors/api/channels.ts";
import type { ChannelWebhook } from "#workers/contracts/api/tenants/channels.ts";
import type { Channel } from "#workers/contracts/tenant/channels.ts";
import { failure } from "../../http/failure.tsx";
import { askGoogleChat } from "./google-chat.ts";
import { callVendor, unknownResponse, type VendorResponse } from "./vendor-call.ts";

/** Characters of an ID or a name that the database stores. */
const MAX_TEXT = 200;
const CONTROLS = /\p{Cc}/gu;

export interface Account {
  /** ID of the bot, which stays when its token is replaced. */
  id: string;
  name: string;
}

/** `rejected`: the vendor does not accept the token. Every other fault is thrown as a Failure. */
export type Answer<T> = T | "rejected";

type Credentials = Pick<Channel, "secrets" | "settings">;

interface VendorApi {
  /** @throws Failure */
  account(api: string, credentials: Credentials): Promise<Answer<Account>>;
  /** @param url of the channel's door. Undefined: the kind has no webhooks. */
  webhook?(api: string, credentials: Credentials, url: string): Promise<Answer<ChannelWebhook>>;
  /** Makes the vendor send no more webhooks to the door. Undefined: only the owner can, by hand. */
  stop?(api: string, credentials: Credentials, url: string): Promise<Answer<undefined>>;
}

const secretOf = ({ secrets }: Credentials, name: string): string => secrets[name] ?? "";

/** @throws Failure for an ID that the database cannot store, such as of a homeserver that anyone may run */
function named(kind: ChannelKind, id: string, name: string): Account {
  if (id.length > MAX_TEXT || id.search(CONTROLS) >= 0) throw unknownResponse(kind, 200);
  return { id, name: name.replace(CONTROLS, "").slice(0, MAX_TEXT) || id };
}

// https://core.telegram.org/bots/api: "Making requests", "getMe", "getWebhookInfo", "deleteWebhook". A malformed token is an unknown path.
const telegramBot = z.object({
  ok: z.literal(true),
  result: z.object({ id: z.number().int(), is_bot: z.literal(true), username: z.string().min(1) }),
});
const telegramWebhook = z.object({
  ok: z.literal(true),
  result: z.object({ url: z.string(), last_error_message: z.string().optional() }),
});
const telegramDone = z.object({ ok: z.literal(true) });

async function telegram<T>(
  api: string,
  credentials: Credentials,
  method: string,
  shape: z.ZodType<T>,
): Promise<Answer<T>> {
  const token = secretOf(credentials, "botToken");
  const response = await callVendor({ kind: "telegram", url: `${api}/bot${token}/${method}`, method: "POST" });
  if (response.status === 401 || response.status === 404) return "rejected";
  return parsed("telegram", shape, response);
}

// https://docs.slack.dev/reference/methods/auth.test: the status is 200 for a wrong token, too.
const slackBot = z.object({
  ok: z.literal(true),
  team: z.string(),
  user: z.string().min(1),
  team_id: z.string().min(1),
  user_id: z.string().min(1),
  bot_id: z.string().min(1),
});
const slackRefusal = z.object({ ok: z.literal(false), error: z.string() });
const SLACK_REJECTIONS: readonly string[] = [
  "account_inactive",
  "invalid_auth",
  "not_allowed_token_type",
  "not_authed",
  "token_expired",
  "token_revoked",
];

async function slack<T>(api: string, method: string, bearer: string, shape: z.ZodType<T>): Promise<Answer<T>> {
  const response = await callVendor({ kind: "slack", url: `${api}/api/${method}`, method: "POST", bearer });
  const error = slackRefusal.safeParse(response.body).data?.error;
  if (error !== undefined && SLACK_REJECTIONS.includes(error)) return "rejected";
  return parsed("slack", shape, response);
}

async function slackAccount(api: string, credentials: Credentials): Promise<Answer<Account>> {
  const answer = await slack(api, "auth.test", secretOf(credentials, "botToken"), slackBot);
  if (answer === "rejected") return answer;
  const { team, user, team_id, user_id } = answer;
  return named("slack", `${team_id}:${user_id}`, `@${user} (${team})`);
}

// https://docs.slack.dev/reference/methods/apps.connections.open
const slackDone = z.object({ ok: z.literal(true), url: z.string() });

// https://docs.discord.com/developers/resources/user#get-current-user
const discordBot = z.object({ id: z.string().min(1), username: z.string().min(1), bot: z.literal(true) });
// https://docs.discord.com/developers/resources/application#get-current-application
const discordApplication = z.object({ flags: z.number().int() });
/** GATEWAY_MESSAGE_CONTENT and GATEWAY_MESSAGE_CONTENT_LIMITED of the application flags, without which messages have no text. */
const DISCORD_MESSAGE_CONTENT = (1 << 18) | (1 << 19);

async function discord<T>(url: string, bearer: string, shape: z.ZodType<T>): Promise<Answer<T>> {
  const response = await callVendor({ kind: "discord", url, bearer, scheme: "Bot" });
  return response.status === 401 ? "rejected" : parsed("discord", shape, response);
}

// https://spec.matrix.org/v1.16/client-server-api/#get_matrixclientv3accountwhoami
const matrixUser = z.object({ user_id: z.string().regex(/^@.+:.+$/) });

// https://developers.line.biz/en/reference/messaging-api/#get-bot-info
const lineBot = z.object({ userId: z.string().min(1), displayName: z.string().min(1), basicId: z.string().min(1) });
// https://developers.line.biz/en/reference/messaging-api/#get-webhook-endpoint-information
const lineWebhook = z.object({ endpoint: z.string(), active: z.boolean() });

const line = (api: string, credentials: Credentials, path: string) =>
  callVendor({ kind: "line", url: `${api}/v2/bot/${path}`, bearer: secretOf(credentials, "channelAccessToken") });

// https://learn.microsoft.com/en-us/azure/bot-service/rest-api/bot-framework-rest-connector-authentication
const MICROSOFT_SCOPE = "https://api.botframework.com/.default";
const microsoftToken = z.object({ token_type: z.literal("Bearer"), access_token: z.string().min(1) });
// https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow#error-response-1
const microsoftRefusal = z.object({ error: z.string(), error_codes: z.array(z.number()).optional() });

function parsed<T>(kind: ChannelKind, shape: z.ZodType<T>, { status, body }: VendorResponse): T {
  const { data } = shape.safeParse(body);
  if (status >= 300 || data === undefined) throw unknownResponse(kind, status);
  return data;
}

/** The vendor does not tell a bot where it sends webhooks. */
const UNKNOWN_WEBHOOK = async (): Promise<ChannelWebhook> => ({ registration: "unknown", error: null });

export const VENDORS: Readonly<Record<ChannelKind, VendorApi>> = {
  telegram: {
    async account(api, credentials) {
      const answer = await telegram(api, credentials, "getMe", telegramBot);
      return answer === "rejected" ? answer : named("telegram", String(answer.result.id), `@${answer.result.username}`);
    },
    async webhook(api, credentials, url) {
      const answer = await telegram(api, credentials, "getWebhookInfo", telegramWebhook);
      if (answer === "rejected") return answer;
      const { url: address, last_error_message: error = null } = answer.result;
      if (address === "") return { registration: "none", error: null };
      return address === url ? { registration: "registered", error } : { registration: "elsewhere", error: null };
    },
    async stop(api, credentials, url) {
      const answer = await VENDORS.telegram.webhook?.(api, credentials, url);
      if (answer === "rejected") return answer;
      // The webhook of another system stays.
      if (answer?.registration !== "registered") return undefined;
      const deleted = await telegram(api, credentials, "deleteWebhook", telegramDone);
      return deleted === "rejected" ? deleted : undefined;
    },
  },
  slack: {
    account: slackAccount,
    webhook: UNKNOWN_WEBHOOK,
  },
  "slack-socket": {
    async account(api, credentials) {
      const account = await slackAccount(api, credentials);
      if (account === "rejected") return account;
      const opened = await slack(api, "apps.connections.open", secretOf(credentials, "appToken"), slackDone);
      return opened === "rejected" ? opened : account;
    },
  },
  discord: {
    async account(api, credentials) {
      const bearer = secretOf(credentials, "botToken");
      const ask = <T>(path: string, shape: z.ZodType<T>) => discord(`${api}/api/v10/${path}`, bearer, shape);
      const bot = await ask("users/@me", discordBot);
      if (bot === "rejected") return bot;
      const application = await ask("applications/@me", discordApplication);
      if (application === "rejected") return application;
      if ((application.flags & DISCORD_MESSAGE_CONTENT) === 0) {
        throw failure(channelErrors.channel_discord_intent_missing, { bot: bot.username });
      }
      return named("discord", bot.id, bot.username);
    },
  },
  line: {
    async account(api, credentials) {
      const response = await line(api, credentials, "info");
      if (response.status === 401) return "rejected";
      const { userId, displayName, basicId } = parsed("line", lineBot, response);
      return named("line", userId, `${displayName} (${basicId})`);
    },
    async webhook(api, credentials, url) {
      const response = await line(api, credentials, "channel/webhook/endpoint");
      if (response.status === 401) return "rejected";
      if (response.status === 404) return { registration: "none", error: null };
      const { endpoint, active } = parsed("line", lineWebhook, response);
      if (endpoint !== url) return { registration: "elsewhere", error: null };
      return {
        registration: "registered",
        error: active ? null : "Use webhook is off in the LINE Developers Console.",
      };
    },
  },
  googlechat: {
    async account(api, credentials) {
      const email = await askGoogleChat(api, secretOf(credentials, "serviceAccount"));
      return email === "rejected" ? email : named("googlechat", email, email);
    },
    webhook: UNKNOWN_WEBHOOK,
  },
  msteams: {
    async account(api, credentials) {
      const { appId = "", tenantId = "" } = credentials.settings ?? {};
      const client = { client_id: appId, client_secret: secretOf(credentials, "appPassword") };
      const response = await callVendor({
        kind: "msteams",
        url: `${api}/${tenantId}/oauth2/v2.0/token`,
        method: "POST",
        form: { grant_type: "client_credentials", ...client, scope: MICROSOFT_SCOPE },
      });
      const isRefusal = response.status === 400 || response.status === 401;
      if (isRefusal && microsoftRefusal.safeParse(response.body).success) return "rejected";
      parsed("msteams", microsoftToken, response);
      return named("msteams", appId.toLowerCase(), `App ${appId.toLowerCase()}`);
    },
    webhook: UNKNOWN_WEBHOOK,
  },
  irc: {
    // Not checked before the gateway connects: a server may refuse a Worker's address and accept the container's.
    async account(_, { settings = {} }) {
      const { server = "", nick = "" } = settings;
      const { hostname, host } = new URL(server.replace(/^irc/, "http"));
      return named("irc", `${host}/${nick}`.toLowerCase(), `${nick} (${hostname})`);
    },
  },
  matrix: {
    async account(api, credentials) {
      const url = `${api}/_matrix/client/v3/account/whoami`;
      const response = await callVendor({ kind: "matrix", url, bearer: secretOf(credentials, "accessToken") });
      if (response.status === 401) return "rejected";
      const { user_id: id } = parsed("matrix", matrixUser, response);
      return named("matrix", id, id);
    },
  },
};
