/**
 * The kinds of channels. Forms, API, credentials of the tenant and documents derive from this table: a new kind is a new entry here, its vendor in
 * `workers/dashboard/api/channels/vendors.ts`, and its keys in `workers/tenant/container/openclaw/deliveries/channels.mjs`.
 */

/** Where a field's value goes. `door`: to the secrets of the channel's door, not to the tenant. */
type Place = "secrets" | "settings" | "door";

type Form = Pick<RegExp, "test">;

interface ChannelField {
  label: string;
  place: Place;
  /** Name in that place. */
  as: string;
  /** Name in the secrets of the door, which verifies requests by the value too. */
  doorAs?: string;
  /** Form of the value. One of the place `secrets` has no character that is special in a URL or header. */
  form: Form;
  /** Why another value is refused. */
  fault: string;
  optional?: true;
  /** In the form of the dashboard. */
  about?: string;
}

export interface ChannelTerms {
  label: string;
  /**
   * `webhook`: the vendor sends messages to the channel's door, which wakes the tenant. `socket`: the gateway holds a connection, which ends while the
   * tenant sleeps.
   */
  transport: "webhook" | "socket";
  /** The first one is the bot's token, or identifies the bot's server. */
  fields: Readonly<Record<string, ChannelField>>;
  /** Secrets of the door that the platform generates and the tenant gets too. */
  generated?: readonly string[];
  /** Base URL of the vendor's API. Empty: a field has it, or there is none. */
  api: string;
  /** Whether the gateway registers the door at the vendor when it starts. Else the owner does. */
  registersItself?: true;
  /** What the owner does at the vendor after connecting. `{bot}` is the bot's name. */
  steps: readonly string[];
  /** What the owner does at the vendor after disconnecting. */
  stop: string;
}

type Field = [label: string, place: Place, as: string, form: Form, fault: string, about?: string];
const required = (...[label, place, as, form, fault, about]: Field): ChannelField => ({
  ...{ label, place, as, form, fault },
  ...(about !== undefined && { about }),
});
/** Returns the form of a server's address. A URL holds it, which excludes wrong ports and IP addresses. */
const serverOf = (form: RegExp): Form => ({
  test: (text) => form.test(text) && URL.canParse(text.replace(/^irc/, "http")),
});
/** Of Microsoft Entra: https://learn.microsoft.com/en-us/graph/api/resources/application */
const guid = (label: string, as: string): ChannelField =>
  required(label, "settings", as, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "must be a GUID");
const optional = (...field: Field): ChannelField => ({ ...required(...field), optional: true });

// https://docs.slack.dev/authentication/tokens
const SLACK_TOKEN = required(
  "Bot token",
  "secrets",
  "botToken",
  /^xoxb-[A-Za-z0-9-]{10,250}$/,
  "must be the Bot User OAuth Token of a Slack app, which begins with xoxb-",
  "In the settings of the Slack app, under OAuth & Permissions.",
);

export const CHANNEL_KINDS = {
  telegram: {
    label: "Telegram",
    transport: "webhook",
    fields: {
      token: required(
        "Bot token",
        "secrets",
        "botToken",
        // Its example is 123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11 (https://core.telegram.org/bots/api#authorizing-your-bot).
        /^\d{1,20}:[A-Za-z0-9_-]{20,100}$/,
        "must be the token of a bot as @BotFather shows it, such as 123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11",
        "In Telegram, send /newbot to @BotFather, and copy the token that it shows.",
      ),
    },
    generated: ["secretToken"],
    registersItself: true,
    api: "https://api.telegram.org",
    steps: ["Send /start to {bot} in Telegram."],
    stop: "Send /revoke to @BotFather, or call deleteWebhook with the token of {bot}.",
  },
  slack: {
    label: "Slack",
    transport: "webhook",
    fields: {
      token: SLACK_TOKEN,
      secret: required(
        "Signing secret",
        "door",
        "signingSecret",
        /^\S{1,1024}$/,
        "must be the signing secret of the app",
        "In the settings of the Slack app, under Basic Information.",
      ),
    },
    api: "https://slack.com",
    steps: [
      "In the settings of the Slack app, open Event Subscriptions and enter the URL as Request URL.",
      "Send a direct message to {bot} in Slack.",
    ],
    stop: "In the settings of the Slack app, turn off Event Subscriptions.",
  },
  "slack-socket": {
    label: "Slack (Socket Mode)",
    transport: "socket",
    fields: {
      token: SLACK_TOKEN,
      app_token: required(
        "App token",
        "secrets",
        "appToken",
        // https://docs.slack.dev/authentication/tokens#app-level
        /^xapp-[A-Za-z0-9-]{10,250}$/,
        "must be an app-level token with the scope connections:write, which begins with xapp-",
        "In the settings of the Slack app, under Basic Information, App-Level Tokens.",
      ),
    },
    api: "https://slack.com",
    steps: ["In the settings of the Slack app, turn on Socket Mode.", "Send a direct message to {bot} in Slack."],
    stop: "In the settings of the Slack app, turn off Socket Mode.",
  },
  discord: {
    label: "Discord",
    transport: "socket",
    fields: {
      token: required(
        "Bot token",
        "secrets",
        "botToken",
        // Three parts of base64url (https://docs.discord.com/developers/reference#authentication).
        /^[A-Za-z0-9_-]{17,100}\.[A-Za-z0-9_-]{4,20}\.[A-Za-z0-9_-]{20,100}$/,
        "must be the token of a bot, three parts with dots between them",
        "In the Discord Developer Portal, in the tab Bot of the application.",
      ),
    },
    api: "https://discord.com",
    steps: ["Invite {bot} to a server, and send it a direct message in Discord."],
    stop: "In the Discord Developer Portal, reset the token of {bot}.",
  },
  line: {
    label: "LINE",
    transport: "webhook",
    fields: {
      token: required(
        "Channel access token",
        "secrets",
        "channelAccessToken",
        // Base64, of 172 characters today: https://developers.line.biz/en/docs/basics/channel-access-token
        /^[A-Za-z0-9+/=._-]{40,1000}$/,
        "must be a channel access token of the Messaging API",
        "In the LINE Developers Console, in the tab Messaging API of the channel.",
      ),
      secret: required(
        "Channel secret",
        "door",
        "channelSecret",
        /^[0-9a-f]{32}$/,
        "must be 32 hexadecimal digits",
        "In the LINE Developers Console, in the tab Basic settings of the channel.",
      ),
    },
    api: "https://api.line.me",
    steps: [
      "In the LINE Developers Console, open Messaging API, enter the URL as Webhook URL, and turn on Use webhook.",
      "Send a message to {bot} in LINE.",
    ],
    stop: "In the LINE Developers Console, delete the Webhook URL of {bot}.",
  },
  googlechat: {
    label: "Google Chat",
    transport: "webhook",
    fields: {
      service_account: {
        ...required(
          "Service account key",
          "secrets",
          "serviceAccount",
          /^\{[\x20-\x7e]{100,4000}\}$/,
          "must be the JSON of a service account's key, on one line",
        ),
        about: "Paste the whole JSON file.",
      },
      project_number: {
        ...required(
          "Project number",
          "settings",
          "audience",
          /^\d{6,20}$/,
          "must be the number of the project, not its ID",
        ),
        doorAs: "audience",
      },
    },
    api: "https://chat.googleapis.com",
    steps: [
      "In the Google Chat API's configuration, select HTTP endpoint URL, enter the URL, and set Authentication audience to Project number.",
      "Send a direct message to the app in Google Chat.",
    ],
    stop: "In the Google Chat API's configuration, delete the HTTP endpoint URL.",
  },
  msteams: {
    label: "Microsoft Teams",
    transport: "webhook",
    fields: {
      token: required(
        "Client secret",
        "secrets",
        "appPassword",
        /^[\x21-\x7e]{16,256}$/,
        "must be the value of a client secret, not its ID",
      ),
      app_id: { ...guid("App ID", "appId"), doorAs: "appId" },
      tenant_id: guid("Tenant ID", "tenantId"),
    },
    api: "https://login.microsoftonline.com",
    steps: [
      "In the Azure portal, open Configuration of the Azure Bot, and enter the URL as Messaging endpoint.",
      "Under Channels, add Microsoft Teams. Install the app in Teams, and send it a message.",
    ],
    stop: "In the Azure portal, delete the Messaging endpoint of the Azure Bot.",
  },
  irc: {
    label: "IRC",
    transport: "socket",
    fields: {
      server: {
        ...required(
          "Server",
          "settings",
          "server",
          // The port may be omitted: 6697 with TLS, else 6667.
          serverOf(/^ircs?:\/\/[A-Za-z0-9]([A-Za-z0-9.-]{0,118}[A-Za-z0-9])?(:[1-9]\d{0,4})?$/),
          "must be ircs://HOST or ircs://HOST:PORT, or irc:// without TLS",
        ),
        about: "Such as ircs://irc.libera.chat. irc:// has no TLS.",
      },
      nick: required(
        "Nick",
        "settings",
        "nick",
        // RFC 2812, 2.3.1; servers accept more than its 9 characters.
        /^[A-Za-z[\]\\`_^{|}][A-Za-z0-9[\]\\`_^{|}-]{0,29}$/,
        "must have up to 30 letters, digits and the characters []\\`_^{|}-, and must not begin with a digit",
      ),
      channels: {
        ...optional(
          "Channels",
          "settings",
          "channels",
          /^[#&+!][^\s,:]{1,49}(, ?[#&+!][^\s,:]{1,49}){0,19}$/,
          "must be up to 20 names with commas between them, such as #acme,#help",
        ),
        about: "Which the bot joins. Empty: direct messages only.",
      },
      password: optional(
        "Server password",
        "secrets",
        "password",
        /^[\x21-\x7e]{1,200}$/,
        "must be ASCII without spaces",
      ),
    },
    api: "",
    steps: ["Send a message to {bot} on the IRC server, or mention it in one of its channels."],
    stop: "Nothing remains on the IRC server.",
  },
  matrix: {
    label: "Matrix",
    transport: "socket",
    fields: {
      homeserver: {
        ...required(
          "Homeserver",
          "settings",
          "homeserver",
          serverOf(/^https:\/\/[A-Za-z0-9]([A-Za-z0-9.-]{0,118}[A-Za-z0-9])?(:[1-9]\d{0,4})?\/?$/),
          "must be the address of the homeserver's API, such as https://matrix.example.org",
        ),
        about: "Such as https://matrix.example.org. Encrypted rooms are not supported.",
      },
      token: required(
        "Access token",
        "secrets",
        "accessToken",
        // Opaque (https://spec.matrix.org/v1.16/client-server-api/#using-access-tokens). Synapse's have letters, digits and _=.-.
        /^[A-Za-z0-9._~+/=-]{8,2048}$/,
        "must be an access token of the bot's account",
      ),
    },
    api: "",
    steps: ["Invite {bot} to an unencrypted room, and send a message there."],
    stop: "Log out the session of {bot} at the homeserver, or change its password.",
  },
} as const satisfies Readonly<Record<string, ChannelTerms>>;

export type ChannelKind = keyof typeof CHANNEL_KINDS;
export const channelKinds = Object.keys(CHANNEL_KINDS) as [ChannelKind, ...ChannelKind[]];

type FieldOf<K> = K extends ChannelKind ? keyof (typeof CHANNEL_KINDS)[K]["fields"] : never;
/** Name of a field of any kind. */
export type FieldName = FieldOf<ChannelKind>;
/** Values of a form. */
export type ChannelValues = { readonly [name in FieldName]?: string | undefined };

export type WebhookChannelKind = {
  [K in ChannelKind]: (typeof CHANNEL_KINDS)[K]["transport"] extends "webhook" ? K : never;
}[ChannelKind];
export const isWebhookKind = (kind: ChannelKind): kind is WebhookChannelKind => termsOf(kind).transport === "webhook";

export const termsOf = (kind: ChannelKind): ChannelTerms => CHANNEL_KINDS[kind];

/** Returns the fields of a kind in the order of its form. */
export const fieldsOf = (kind: ChannelKind) => Object.entries(termsOf(kind).fields) as [FieldName, ChannelField][];

export const fieldNames = [...new Set(channelKinds.flatMap((kind) => fieldsOf(kind).map(([name]) => name)))] as [
  FieldName,
  ...FieldName[],
];

/** The messenger of a kind, whose name OpenClaw uses: a tenant has one channel of each. */
export const messengerOf = (kind: ChannelKind): string => kind.replace(/-.*/, "");

/** Returns the kind of a messenger that receives messages while the tenant sleeps; undefined without one. */
export const webhookKindOf = (messenger: string): ChannelKind | undefined =>
  channelKinds.find((kind) => messengerOf(kind) === messenger && isWebhookKind(kind));

/** Messengers that only the gateway can connect, by a program or a code that is scanned. Its status has them. */
export const LINKED_MESSENGERS: Readonly<Record<string, string>> = { whatsapp: "WhatsApp", signal: "Signal" };

/** Returns a messenger's label. */
export function messengerLabel(messenger: string): string {
  const known: Readonly<Record<string, { label: string }>> = CHANNEL_KINDS;
  return known[messenger]?.label ?? LINKED_MESSENGERS[messenger] ?? messenger;
}
