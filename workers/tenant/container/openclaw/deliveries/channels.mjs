/**
 * The platform's part of the configuration of channels: channels that receive messages by deliveries of the tenant's Worker.
 *
 * Environment: CHANNELS, see workers/contracts/tenant/channels.ts.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

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
const variableOf = (kind, secret) => `TENANTRY_${`${kind}_${secret.replace(/[A-Z]/g, "_$&")}`.toUpperCase()}`;
const reference = (kind, secret) => ({ source: "env", provider: PROVIDER, id: variableOf(kind, secret) });

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
};

/** Returns the connected channels. Those of an unknown kind are for later images. */
export function connectedChannels({ CHANNELS: text = "[]" }) {
  return JSON.parse(text).filter(({ kind }) => kind in KEYS);
}

/** Returns the environment variables of the channels' secrets. */
export const channelVariables = (channels) =>
  Object.fromEntries(
    channels.flatMap(({ kind, secrets }) =>
      Object.entries(secrets).map(([name, value]) => [variableOf(kind, name), value]),
    ),
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
  return { config: { ...config, ...(Object.keys(sections).length > 0 && { channels: sections }) }, saved };
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
