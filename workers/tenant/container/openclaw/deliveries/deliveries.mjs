/**
 * Preloaded into OpenClaw, before the identity guard: authenticates deliveries of the tenant's Worker on OpenClaw's port by the delivery key.
 * OpenClaw gets secrets of its own instead, so no other program or user can deliver with what they find in OpenClaw's environment or
 * configuration.
 *
 *   /hooks/*             `authorization: Bearer KEY`; OpenClaw's hooks: docs/gateway/config-hooks.md
 *   /telegram-webhook    `x-telegram-bot-api-secret-token: KEY`; passed to Telegram's own listener within this process
 *   /slack/events, /line/webhook    signed with KEY: `signed.mjs`
 *   /api/messages        signed by Microsoft; passed to Teams' own listener within this process
 *
 * Google Chat's path is not handled here: OpenClaw has a route for it, and verifies Google's signature.
 *
 * Environment: GATEWAY_PORT; DELIVERED_CHANNELS, kinds separated by commas; that of `secrets.mjs`.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { Server } from "node:http";
import { removeHeaders, setHeaders } from "../identity-headers.mjs";
import { HOOKS_TOKEN_VARIABLE, USER_HEADER } from "../platform-config.mjs";
import { LISTENERS, SIGNING_SECRET, variableOf } from "./channels.mjs";
import { takeSecrets } from "./secrets.mjs";
import { isSignedBy, passOn, readBody, SIGNED } from "./signed.mjs";

const TELEGRAM_HEADER = "x-telegram-bot-api-secret-token";
const HOOKS_HEADERS = ["authorization", "x-openclaw-token"];
/** Marks a request that this process sends to itself. */
const WITHIN_HEADER = "x-tenantry-delivery-within";
const HOOKS_PATH = /^\/hooks(?:\/|$)/;

const { GATEWAY_PORT: port = "18789", DELIVERED_CHANNELS: delivered = "" } = process.env;
const connected = delivered.split(",");
const secrets = takeSecrets();
const { deliveryKey, variables, telegramSecret } = secrets ?? {};
/** OpenClaw's own token for its hooks. */
const hooksToken = randomBytes(32).toString("hex");
/** OpenClaw's own secrets for signed channels, by kind. OpenClaw's doctor treats a channel with a secret as wanted, and installs its plug-in. */
const signingSecrets = Object.fromEntries(
  Object.values(SIGNED)
    .filter(({ kind }) => connected.includes(kind))
    .map(({ kind }) => [kind, randomBytes(32).toString("hex")]),
);
const within = randomBytes(32).toString("hex");
if (secrets !== undefined) {
  Object.assign(process.env, variables, { [HOOKS_TOKEN_VARIABLE]: hooksToken });
  for (const [kind, secret] of Object.entries(signingSecrets)) process.env[variableOf(kind, SIGNING_SECRET)] = secret;
}

const digest = (text) => createHash("sha256").update(text).digest();
const isSame = (given, expected) =>
  typeof given === "string" && expected !== undefined && timingSafeEqual(digest(given), digest(expected));
const bearerOf = ({ authorization = "" }) => /^bearer (.+)$/i.exec(authorization)?.[1];

const channelOf = (key, value) =>
  value === undefined ? undefined : Object.keys(LISTENERS).find((channel) => LISTENERS[channel][key] === value);
/** Listeners of channels, once they listen. */
const listeners = new Map();

function refuse(response, status, error, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers });
  response.end(JSON.stringify({ error }));
  return true;
}

/** By channel: authenticates a delivery to its listener. @returns true when it was refused */
const AUTHENTICATE = {
  telegram(request, response) {
    if (!isSame(request.headers[TELEGRAM_HEADER], deliveryKey)) return refuse(response, 401, "delivery_key_wrong");
    if (telegramSecret === undefined) return refuse(response, 404, "channel_not_connected");
    removeHeaders(request, (name) => name === TELEGRAM_HEADER);
    setHeaders(request, { [TELEGRAM_HEADER]: telegramSecret });
    return false;
  },
  // OpenClaw verifies Microsoft's signature.
  msteams: (_request, response) => !connected.includes("msteams") && refuse(response, 404, "channel_not_connected"),
};

function deliverToListener(channel, request, response) {
  if (AUTHENTICATE[channel](request, response)) return true;
  const listener = listeners.get(channel);
  // OpenClaw starts channels after its port, and again after a change of their configuration.
  if (listener?.listening !== true) return refuse(response, 503, "channel_not_ready", { "retry-after": "1" });
  return emit.call(listener, "request", request, response);
}

async function deliverSigned(request, response, scheme) {
  const body = await readBody(request);
  if (body === undefined) return refuse(response, 413, "body_too_large");
  if (deliveryKey === undefined || !isSignedBy(scheme, deliveryKey, request.headers, body))
    return refuse(response, 401, "delivery_key_wrong");
  if (signingSecrets[scheme.kind] === undefined) return refuse(response, 404, "channel_not_connected");
  const signature = scheme.sign(signingSecrets[scheme.kind], request.headers, body);
  return passOn(request, response, { port, body, headers: { [scheme.header]: signature, [WITHIN_HEADER]: within } });
}

/** Exchanges the delivery key for OpenClaw's token, which is accepted from nobody else. */
function exchangeToken(request, path) {
  const isDelivery = HOOKS_PATH.test(path) && isSame(bearerOf(request.headers), deliveryKey);
  const isToken = (name) => {
    const value = request.headers[name];
    return isDelivery || isSame(value, hooksToken) || isSame(bearerOf({ authorization: value }), hooksToken);
  };
  const tokens = HOOKS_HEADERS.filter((name) => request.headers[name] !== undefined && isToken(name));
  if (tokens.length > 0) removeHeaders(request, (name) => tokens.includes(name));
  if (isDelivery) setHeaders(request, { authorization: `Bearer ${hooksToken}` });
}

/** Handles a request. @returns false to pass it to OpenClaw */
function handle(request, response) {
  // As OpenClaw parses it.
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const isUsers = request.headers[USER_HEADER] !== undefined;
  const channel = isUsers ? undefined : channelOf("path", pathname);
  if (channel !== undefined) return deliverToListener(channel, request, response);
  const scheme = Object.hasOwn(SIGNED, pathname) && !isUsers ? SIGNED[pathname] : undefined;
  if (isSame(request.headers[WITHIN_HEADER], within)) removeHeaders(request, (name) => name === WITHIN_HEADER);
  else if (scheme !== undefined) {
    deliverSigned(request, response, scheme).catch(() => response.destroy());
    return true;
  }
  exchangeToken(request, isUsers ? "" : pathname);
  return false;
}

const HANDLED = new Set(["request", "checkContinue"]);
const { emit, listen } = Server.prototype;

Server.prototype.listen = function listenOnLoopback(at, ...parameters) {
  const { host } = LISTENERS[connected.find((channel) => channel === channelOf("port", at))] ?? {};
  return host === undefined ? listen.call(this, at, ...parameters) : listen.call(this, 0, host, ...parameters);
};

Server.prototype.emit = function emitUnlessHandled(event, ...parameters) {
  const { address, port: at } = this.address() ?? {};
  const channel = channelOf("host", address);
  if (channel !== undefined) {
    if (event === "listening") listeners.set(channel, this);
    // Other programs in this container could have read Telegram's secret.
    if (HANDLED.has(event)) return refuse(parameters[1], 404, "not_found");
  }
  if (HANDLED.has(event) && at === Number(port)) {
    try {
      if (handle(...parameters)) return true;
    } catch {
      parameters[0].destroy();
      return true;
    }
  }
  return emit.call(this, event, ...parameters);
};
