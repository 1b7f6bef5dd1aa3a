/**
 * The platform's part of the configuration of channels: channels that receive messages by deliveries of the tenant's Worker.
 *
 * Environment: CHANNELS, see workers/contracts/tenant/channels.ts.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The provider of the platform's secrets. Its references mark the channels that the platform connected. */
export const PROVIDER = "tenantry";
/** The tenant's values under keys that the platform sets while a channel is connected. */
const SAVED_FILE = "openclaw.json.channels";
/**
 * The address of Telegram's own listener, by which `deliveries.mjs` finds it. OpenClaw has no route for Telegram on its port:
 * docs/channels/telegram/transports.md.
 */
export const TELEGRAM_HOST = "127.84.71.1";
export const TELEGRAM_PATH = "/telegram-webhook";

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
    webhookPath: TELEGRAM_PATH,
    webhookHost: TELEGRAM_HOST,
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
};

/** Variables of a channel's plug-in that replace the base URL of its vendor's API. */
const API_ROOT_VARIABLES = { slack: "SLACK_API_URL" };

/** Kinds whose plug-in is no part of OpenClaw. The image has it beside OpenClaw. */
const PLUGINS = new Set(["slack"]);
const pluginPath = (program, kind) => join(dirname(dirname(program)), "@openclaw", kind);
const isPlugin = (path) => basename(dirname(path)) === "@openclaw" && PLUGINS.has(basename(path));

/** Returns the connected channels that this image supports, with the paths of their plug-ins. */
export function connectedChannels({ CHANNELS: text = "[]" }, program, say) {
  return JSON.parse(text).flatMap((channel) => {
    const { kind } = channel;
    const plugin = PLUGINS.has(kind) ? pluginPath(program, kind) : undefined;
    if (kind in KEYS && (plugin === undefined || existsSync(plugin))) return [{ ...channel, plugin }];
    say(`this image does not support the channel ${kind}, which stays disconnected`);
    return [];
  });
}

/** Returns the environment variables of the channels' secrets. */
export const channelVariables = (channels) =>
  Object.fromEntries(
    channels.flatMap(({ kind, secrets, apiRoot }) => [
      ...Object.entries(secrets).map(([name, value]) => [variableOf(kind, name), value]),
      ...(apiRoot !== undefined && kind in API_ROOT_VARIABLES ? [[API_ROOT_VARIABLES[kind], apiRoot]] : []),
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
  return { config: withPlugins(connected, channels), saved };
}

/** Loads and trusts the plug-ins of the channels, and no others of the image. */
function withPlugins(config, channels) {
  const { load, entries, ...others } = config.plugins ?? {};
  const present = load?.paths ?? [];
  const plugins = channels.filter(({ plugin }) => plugin !== undefined);
  const former = present.filter(isPlugin).map((path) => basename(path));
  if (plugins.length === 0 && former.length === 0) return config;
  const paths = [...present.filter((path) => !isPlugin(path)), ...plugins.map(({ plugin }) => plugin)];
  const trusted = Object.fromEntries(plugins.map(({ kind }) => [kind, { ...entries?.[kind], enabled: true }]));
  const rest = filtered(entries ?? {}, (kind) => !former.includes(kind));
  return { ...config, plugins: { ...others, load: { ...load, paths }, entries: { ...rest, ...trusted } } };
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
