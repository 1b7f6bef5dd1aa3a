/**
 * The platform's part of the configuration of channels: channels that receive messages by deliveries of the tenant's Worker.
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

/** `TENANTRY_TELEGRAM_BOT_TOKEN` for the `botToken` of `telegram`. */
export const variableOf = (kind, secret) => `TENANTRY_${`${kind}_${secret.replace(/[A-Z]/g, "_$&")}`.toUpperCase()}`;
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
    channelAccessToken: reference("line", "channelAccessToken"),
    tokenFile: undefined,
    channelSecret: reference("line", SIGNING_SECRET),
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
};

/** Variables of a channel's plug-in that replace the base URL of its vendor's API, and their value. */
const API_ROOTS = { slack: (root) => ["SLACK_API_URL", `${root}/api/`] };

/**
 * Kinds whose plug-in is no part of OpenClaw. The image has it among OpenClaw's own: OpenClaw lets no plug-in at another path use its queues and
 * stores, unless its installer has put a copy into the tenant's state.
 */
const PLUGINS = new Set(["slack", "line", "googlechat", "msteams"]);
const pluginPath = (program, kind) => join(dirname(program), "dist/extensions", kind);
/** Where an earlier version of this image had plug-ins. */
const FORMER_PLUGIN = /\/@openclaw\/([a-z]+)$/;

/** Returns the connected channels that this image supports. */
export function connectedChannels({ CHANNELS: text = "[]" }, program, say) {
  return JSON.parse(text).flatMap((channel) => {
    const { kind } = channel;
    if (Object.hasOwn(KEYS, kind) && (!PLUGINS.has(kind) || existsSync(pluginPath(program, kind)))) return [channel];
    say(`this image does not support the channel ${kind}, which stays disconnected`);
    return [];
  });
}

/** Returns the environment variables of the channels' secrets. */
export const channelVariables = (channels) =>
  Object.fromEntries(
    channels.flatMap(({ kind, secrets, apiRoot }) => [
      ...Object.entries(secrets).map(([name, value]) => [variableOf(kind, name), value]),
      ...(apiRoot !== undefined && kind in API_ROOTS ? [API_ROOTS[kind](apiRoot)] : []),
    ]),
  );

const isPlatforms = (section) => Object.values(section).some((value) => value?.provider === PROVIDER);
const filtered = (section, isIncluded) =>
  Object.fromEntries(Object.entries(section).filter(([key]) => isIncluded(key)));

/**
 * Connects channels in a configuration, and disconnects others that the platform had connected.
 *
 * @param former the tenant's values under the platform's keys, by kind: `saved` of the last start
 * @returns the configuration and `saved`
 */
export function withChannels({ channels: present, ...config }, channels, former) {
  const sections = { ...present };
  const saved = {};
  for (const [kind, keysOf] of Object.entries(KEYS)) {
    const keys = new Set(Object.keys(keysOf({})));
    const section = sections[kind] ?? {};
    const own = isPlatforms(section) ? { ...filtered(section, (key) => !keys.has(key)), ...former[kind] } : section;
    const channel = channels.find((candidate) => candidate.kind === kind);
    if (channel !== undefined) {
      saved[kind] = filtered(own, (key) => keys.has(key));
      sections[kind] = { ...own, ...keysOf(channel) };
    } else if (Object.keys(own).length > 0) sections[kind] = own;
    else delete sections[kind];
  }
  const connected = { ...config, ...(Object.keys(sections).length > 0 && { channels: sections }) };
  return { config: withoutFormerPlugins(connected), saved };
}

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
  if (Object.values(saved).every((section) => Object.keys(section).length === 0)) rmSync(path, { force: true });
  else write(path, JSON.stringify(saved));
}
