/**
 * The platform's part of the configuration of channels: webhook channels, which receive messages by deliveries of the tenant's Worker, and socket
 * channels, whose connections OpenClaw holds.
 *
 * Environment: CHANNELS, see workers/contracts/tenant/channels.ts.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** The provider of the platform's secrets. Its references mark the channels that the platform connected. */
export const PROVIDER = "tenantry";
/** The tenant's values under keys that the platform sets while a channel is connected. */
const SAVED_FILE = "openclaw.json.channels";
/**
 * Channels for which OpenClaw has no route on its port, only a listener of their own: docs/channels/telegram/transports.md and
 * docs/channels/msteams/setup.md. `deliveries.mjs` finds it by its address, or moves it there from a port that OpenClaw can be given.
 */
export const LISTENERS = {
  telegram: { path: "/telegram-webhook", host: "127.84.71.1" },
  msteams: { path: "/api/messages", host: "127.84.71.2", port: 3978 },
};

/** OpenClaw's name of a kind's messenger: `slack` for `slack-socket`. */
export const messengerOf = (kind) => kind.replace(/-.*/, "");

/** Secrets for which OpenClaw has a variable of its own, and no reference: docs/channels/irc.md, docs/channels/line.md. */
const OWN_VARIABLES = {
  irc: { password: "IRC_PASSWORD" },
  line: { channelAccessToken: "LINE_CHANNEL_ACCESS_TOKEN", signingSecret: "LINE_CHANNEL_SECRET" },
};

/** `TENANTRY_TELEGRAM_BOT_TOKEN` for the `botToken` of `telegram`. */
export const variableOf = (kind, secret) =>
  OWN_VARIABLES[kind]?.[secret] ??
  `TENANTRY_${`${messengerOf(kind)}_${secret.replace(/[A-Z]/g, "_$&")}`.toUpperCase()}`;
const reference = (kind, secret) => ({ source: "env", provider: PROVIDER, id: variableOf(kind, secret) });

/** The name of OpenClaw's own secret for signed channels, which `deliveries.mjs` sets. */
export const SIGNING_SECRET = "signingSecret";

/** By kind: keys that the platform sets, given the channel. All are deleted when it is disconnected. */
const KEYS = {
  telegram: ({ url, apiRoot }) => ({
    enabled: true,
    botToken: reference("telegram", "botToken"),
    tokenFile: undefined,
    webhookSecret: reference("telegram", "secretToken"),
    webhookUrl: url,
    webhookPath: LISTENERS.telegram.path,
    webhookHost: LISTENERS.telegram.host,
    webhookPort: 0,
    webhookCertPath: undefined,
    apiRoot,
  }),
  slack: () => ({
    enabled: true,
    mode: "http",
    botToken: reference("slack", "botToken"),
    signingSecret: reference("slack", SIGNING_SECRET),
    webhookPath: "/slack/events",
  }),
  line: () => ({
    enabled: true,
    channelAccessToken: undefined,
    tokenFile: undefined,
    channelSecret: undefined,
    secretFile: undefined,
    webhookPath: "/line/webhook",
  }),
  googlechat: ({ settings }) => ({
    enabled: true,
    serviceAccount: reference("googlechat", "serviceAccount"),
    serviceAccountFile: undefined,
    audienceType: "project-number",
    audience: settings?.audience,
    webhookPath: "/googlechat",
    webhookUrl: undefined,
  }),
  msteams: ({ settings }) => ({
    enabled: true,
    authType: "secret",
    appId: settings?.appId,
    tenantId: settings?.tenantId,
    appPassword: reference("msteams", "appPassword"),
    webhook: { port: LISTENERS.msteams.port, path: LISTENERS.msteams.path },
  }),
  "slack-socket": () => ({
    enabled: true,
    mode: "socket",
    botToken: reference("slack", "botToken"),
    appToken: reference("slack", "appToken"),
  }),
  discord: () => ({ enabled: true, token: reference("discord", "botToken") }),
  irc: ({ settings }) => ({
    enabled: true,
    ...ircServer(settings?.server),
    nick: settings?.nick,
    channels: settings?.channels?.split(/, ?/),
    password: undefined,
    passwordFile: undefined,
  }),
  matrix: ({ settings, apiRoot }) => ({
    enabled: true,
    homeserver: apiRoot ?? settings?.homeserver,
    accessToken: reference("matrix", "accessToken"),
    userId: undefined,
    password: undefined,
    // The image does not have the native library of encrypted rooms, which its installation would download.
    encryption: false,
    // OpenClaw refuses a stand-in's address otherwise.
    network: apiRoot === undefined ? undefined : { dangerouslyAllowPrivateNetwork: true },
  }),
};

/** @param server `ircs://HOST:PORT`, or `irc:` without TLS */
function ircServer(server = "ircs://localhost") {
  const { protocol, hostname, port } = new URL(server.replace(/^irc/, "http"));
  const tls = protocol === "https:";
  // A URL omits the default port of HTTP.
  const stated = /:(\d+)$/.exec(server)?.[1] ?? port;
  return { host: hostname, port: stated === "" ? (tls ? 6697 : 6667) : Number(stated), tls };
}

/** Variables of a channel's plug-in that replace the base URL of its vendor's API, and their value. */
const API_ROOTS = {
  slack: (root) => ["SLACK_API_URL", `${root}/api/`],
  discord: (root) => ["DISCORD_API_URL", `${root}/api/v10`],
};

/**
 * Kinds whose plug-in is no part of OpenClaw. The image has it among OpenClaw's own: OpenClaw lets no plug-in at another path use its queues and
 * stores, unless its installer has put a copy into the tenant's state.
 */
const PLUGINS = new Set(["slack", "line", "googlechat", "msteams", "discord", "irc", "matrix"]);
const pluginPath = (program, kind) => join(dirname(program), "dist/extensions", kind);
/** Where an earlier version of this image had plug-ins. */
const FORMER_PLUGIN = /\/@openclaw\/([a-z]+)$/;

/** Returns the connected channels: those that can be configured, and others with the cause. */
export function connectedChannels({ CHANNELS: text = "[]" }, program, say) {
  const isSupported = ({ kind }) =>
    Object.hasOwn(KEYS, kind) &&
    (!PLUGINS.has(messengerOf(kind)) || existsSync(pluginPath(program, messengerOf(kind))));
  const channels = [];
  const refused = [];
  for (const channel of JSON.parse(text)) {
    const { kind } = channel;
    try {
      if (isSupported(channel)) {
        KEYS[kind](channel);
        channels.push(channel);
        continue;
      }
      say(`this image does not support the channel ${kind}, which stays disconnected`);
      refused.push({ kind, cause: "not_in_image" });
    } catch (error) {
      say(`the channel ${kind} cannot be configured, and stays disconnected: ${error.message}`);
      refused.push({ kind, cause: "configuration_rejected", reason: error.message });
    }
  }
  return { channels, refused };
}

/** Returns the environment variables of the channels' secrets. */
export const channelVariables = (channels) =>
  Object.fromEntries(
    channels.flatMap(({ kind, secrets, apiRoot }) => [
      ...Object.entries(secrets).map(([name, value]) => [variableOf(kind, name), value]),
      ...(apiRoot !== undefined && messengerOf(kind) in API_ROOTS ? [API_ROOTS[messengerOf(kind)](apiRoot)] : []),
    ]),
  );

const isPlatforms = (section) => Object.values(section).some((value) => value?.provider === PROVIDER);
const filtered = (section, isIncluded) =>
  Object.fromEntries(Object.entries(section).filter(([key]) => isIncluded(key)));

/**
 * Connects channels in a configuration, and disconnects others that the platform had connected.
 *
 * @param former the tenant's values under the platform's keys, by messenger: `saved` of the last start
 * @returns the configuration and `saved`
 */
export function withChannels({ channels: present, ...config }, channels, former) {
  const sections = { ...present };
  const saved = {};
  for (const messenger of new Set(Object.keys(KEYS).map(messengerOf))) {
    const section = sections[messenger] ?? {};
    // Channels without references are known by what was saved.
    const isOurs = isPlatforms(section) || former[messenger] !== undefined;
    const ours = keysFor(messenger, Object.keys(KEYS));
    const own = isOurs ? { ...filtered(section, (key) => !ours.has(key)), ...former[messenger] } : section;
    const channel = channels.find(({ kind }) => messengerOf(kind) === messenger);
    if (channel !== undefined) {
      const keys = keysFor(messenger, [channel.kind]);
      saved[messenger] = filtered(own, (key) => keys.has(key));
      sections[messenger] = { ...own, ...KEYS[channel.kind](channel) };
    } else if (Object.keys(own).length > 0) sections[messenger] = own;
    else delete sections[messenger];
  }
  const connected = { ...config, ...(Object.keys(sections).length > 0 && { channels: sections }) };
  return { config: withoutFormerPlugins(connected), saved };
}

/** Returns the keys that the platform sets for kinds of a messenger. */
const keysFor = (messenger, kinds) =>
  new Set(kinds.filter((kind) => messengerOf(kind) === messenger).flatMap((kind) => Object.keys(KEYS[kind]({}))));

/** Removes what an earlier version of this image wrote for the plug-ins of channels. */
function withoutFormerPlugins(config) {
  const { load, entries, ...others } = config.plugins ?? {};
  const former = (load?.paths ?? []).flatMap((path) => FORMER_PLUGIN.exec(path)?.[1] ?? []);
  if (former.length === 0) return config;
  const paths = load.paths.filter((path) => !FORMER_PLUGIN.test(path));
  const rest = filtered(entries ?? {}, (kind) => !former.includes(kind));
  return { ...config, plugins: { ...others, load: { ...load, paths }, entries: rest } };
}

/** Reads what {@link withChannels} saved. */
export function readSaved(state) {
  const path = join(state, SAVED_FILE);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

/** @param write writes a file atomically */
export function writeSaved(state, saved, write) {
  const path = join(state, SAVED_FILE);
  if (Object.keys(saved).length === 0) rmSync(path, { force: true });
  else write(path, JSON.stringify(saved));
}
