/**
 * Preloaded into OpenClaw, before the identity guard: answers `GET /workz` of OpenClaw's port, to programs of this container alone, with
 * what its sandbox's sleep would cut off: see `work.mjs` one folder up.
 *
 * OpenClaw is asked by its own HTTP way to its RPC methods, from within its process: a request that carries this process's secret gets an
 * administrator's identity once the guard has taken every other away. Nobody else reaches that way.
 *
 * Environment: GATEWAY_PORT.
 */
import { randomBytes } from "node:crypto";
import { Server } from "node:http";
import { OPERATOR_SCOPES, USER_HEADER } from "./platform-config.mjs";
import { NOWHERE, tell } from "./told-headers.mjs";
import { workOf } from "./work-answer.mjs";

const RPC_PATH = "/api/v1/admin/rpc";
const SECRET_HEADER = "x-tenantry-within";
/** Under which OpenClaw knows the asker; nobody's address. */
const ASKER = "sleep@tenantry.invalid";
/** An answer takes OpenClaw milliseconds; one that starts may take longer. */
const RPC_TIMEOUT_MS = 4_000;

const { GATEWAY_PORT: port = "18789" } = process.env;
const secret = randomBytes(32).toString("base64url");

/** Calls one of OpenClaw's RPC methods. @throws Error when it is refused or takes too long */
async function call(method, params = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${RPC_PATH}`, {
    method: "POST",
    headers: { "content-type": "application/json", [SECRET_HEADER]: secret },
    body: JSON.stringify({ method, params }),
    signal: AbortSignal.timeout(RPC_TIMEOUT_MS),
  });
  const { ok, payload, error } = await response.json();
  if (ok !== true) throw new Error(`OpenClaw refuses ${method}: ${error?.message ?? response.status}`);
  return payload;
}

/** Makes a request of this process's an administrator's. */
function identify(request) {
  tell(request, { user: ASKER, role: "ROOT", scopes: OPERATOR_SCOPES, address: NOWHERE, scheme: "https" });
  delete request.headers[SECRET_HEADER];
}

let asked;

/** Asks OpenClaw; questions at one time share an answer. */
function work() {
  asked ??= workOf(call).finally(() => {
    asked = undefined;
  });
  return asked;
}

function send(response, status, body) {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

const isLoopback = (address = "") => /^(?:::ffff:)?127\.|^::1$/.test(address);

/** Whether a request was answered here. */
function answered(request, response) {
  const [path] = (request.url ?? "").split("?");
  if (path === RPC_PATH) {
    if (request.headers[SECRET_HEADER] === secret) {
      identify(request);
      return false;
    }
    send(response, 404, {});
    return true;
  }
  // What the Worker passes on has the guard's word for it.
  if (path !== "/workz" || request.headers[USER_HEADER] !== undefined || !isLoopback(request.socket.remoteAddress))
    return false;
  if (request.method !== "GET") send(response, 405, {});
  else
    work().then(
      (answer) => send(response, 200, answer),
      (error) => send(response, 503, { error: String(error?.message ?? error) }),
    );
  return true;
}

const { emit } = Server.prototype;

Server.prototype.emit = function emitAsked(event, ...parameters) {
  const isOurs = event === "request" && this.address()?.port === Number(port);
  return isOurs && answered(...parameters) ? true : emit.call(this, event, ...parameters);
};
