/**
 * Preloaded into OpenClaw, before the identity guard: authenticates deliveries of the tenant's Worker on OpenClaw's port by the delivery key.
 * OpenClaw gets secrets of its own instead, so no other program or user can deliver with what they find in OpenClaw's environment or
 * configuration.
 *
 *   /hooks/*             `authorization: Bearer KEY`; OpenClaw's hooks: docs/gateway/config-hooks.md
 *   /telegram-webhook    `x-telegram-bot-api-secret-token: KEY`; passed to Telegram's own listener within this process
 *
 * Environment: GATEWAY_PORT; that of `secrets.mjs`.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { Server } from "node:http";
import { removeHeaders, setHeaders } from "../identity-headers.mjs";
import { HOOKS_TOKEN_VARIABLE, USER_HEADER } from "../platform-config.mjs";
import { TELEGRAM_HOST, TELEGRAM_PATH } from "./channels.mjs";
import { takeSecrets } from "./secrets.mjs";

const TELEGRAM_HEADER = "x-telegram-bot-api-secret-token";
const HOOKS_HEADERS = ["authorization", "x-openclaw-token"];
const HOOKS_PATH = /^\/hooks(?:\/|$)/;

const { GATEWAY_PORT: port = "18789" } = process.env;
const secrets = takeSecrets();
const { deliveryKey, variables, telegramSecret } = secrets ?? {};
/** OpenClaw's own token for its hooks. */
const hooksToken = randomBytes(32).toString("hex");
if (secrets !== undefined) Object.assign(process.env, variables, { [HOOKS_TOKEN_VARIABLE]: hooksToken });

const digest = (text) => createHash("sha256").update(text).digest();
const isSame = (given, expected) =>
  typeof given === "string" && expected !== undefined && timingSafeEqual(digest(given), digest(expected));
const bearerOf = ({ authorization = "" }) => /^bearer (.+)$/i.exec(authorization)?.[1];

/** Telegram's listener, once it listens. */
let telegram;

function refuse(response, status, error, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers });
  response.end(JSON.stringify({ error }));
  return true;
}

function deliverToTelegram(request, response) {
  if (!isSame(request.headers[TELEGRAM_HEADER], deliveryKey)) return refuse(response, 401, "delivery_key_wrong");
  if (telegramSecret === undefined) return refuse(response, 404, "channel_not_connected");
  // OpenClaw starts channels after its port, and again after a change of their configuration.
  if (telegram?.listening !== true) return refuse(response, 503, "channel_not_ready", { "retry-after": "1" });
  removeHeaders(request, (name) => name === TELEGRAM_HEADER);
  setHeaders(request, { [TELEGRAM_HEADER]: telegramSecret });
  return emit.call(telegram, "request", request, response);
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
  if (pathname === TELEGRAM_PATH && !isUsers) return deliverToTelegram(request, response);
  exchangeToken(request, isUsers ? "" : pathname);
  return false;
}

const HANDLED = new Set(["request", "checkContinue"]);
const { emit } = Server.prototype;

Server.prototype.emit = function emitUnlessHandled(event, ...parameters) {
  const { address, port: at } = this.address() ?? {};
  if (address === TELEGRAM_HOST) {
    if (event === "listening") telegram = this;
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
