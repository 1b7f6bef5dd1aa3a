/**
 * The reference gateway: a small program that runs a platform without a real gateway. It takes a moment to start, stores its state in files and
 * an SQLite database, and requires the gateway's token.
 *
 *   GET  /health      `{"ok":true,"status":"live"}`, without token
 *   GET  /startupz    200 after the start, without token
 *   POST /ticket-key  replaces the ticket key (`ticket-key-order.mjs`)
 *   GET  /workz       the work that sleep would interrupt, without token: for programs of this machine
 *   GET  /            a page: the tenant, a counter of visits, the role from the headers, the user from the ticket
 *   GET  /api/notes   lists notes; POST adds `{ "text": … }`
 *   POST /api/ask     sends `{ "text": … }` to the model through the tenant's AI gateway
 *   POST /api/jobs    schedules `{ "at": ISO time, "text": …, "forMs": 0 }`, which adds a note `forMs` after `at`
 *   POST /api/channels  `{ "connected": 2 }` sets the number of connected channels
 *   POST /hooks/…, /telegram-webhook and other channels: deliveries of the tenant's inbox (`deliveries.mjs`), with the delivery key
 *   GET  /api/deliveries  what was processed, in order; POST `{ "status": 422, "holdMs": 0 }` sets how deliveries are answered
 *   GET  /api/count?to=20&everyMs=100   a stream of lines
 *   GET  /echo        a WebSocket that echoes every message
 *
 * The argument `--version` prints its name and version.
 *
 * Environment: GATEWAY_PORT (18789), GATEWAY_BIND (`lan` listens on every interface, else loopback), GATEWAY_TOKEN, STATE_DIR, TENANT_SLUG,
 * TICKET_KEY and FORMER_TICKET_KEY (`tickets.mjs`), REFERENCE_GATEWAY_VERSION (1.0.0), REFERENCE_GATEWAY_START_MS (1500),
 * REFERENCE_GATEWAY_WARM_MS (0: delay between the first response and the end of the start); those of `deliveries.mjs`.
 */
import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { answerTicketKeyOrder, isTicketKeyOrder } from "../ticket-key-order.mjs";
import { Tickets } from "../tickets.mjs";
import { Deliveries } from "./deliveries.mjs";
import { askModel } from "./model.mjs";
import { echo } from "./websocket-echo.mjs";
import { Work } from "./work.mjs";

const identity = { name: "reference-gateway", version: process.env.REFERENCE_GATEWAY_VERSION ?? "1.0.0" };
if (process.argv.includes("--version")) {
  writeSync(1, `${JSON.stringify(identity)}\n`);
  process.exit(0);
}

const MAX_BODY_BYTES = 64_000;
const { GATEWAY_TOKEN: token, STATE_DIR: stateDirectory, TENANT_SLUG: slug = "tenant" } = process.env;
if (!token || !stateDirectory) {
  process.stderr.write("GATEWAY_TOKEN and STATE_DIR must be set\n");
  process.exit(78);
}

await delay(Number(process.env.REFERENCE_GATEWAY_START_MS ?? 1500));

const notes = join(stateDirectory, "notes");
mkdirSync(notes, { recursive: true, mode: 0o700 });
writeFileSync(join(stateDirectory, ".tenantry-gateway.json"), JSON.stringify(identity), { mode: 0o600 });
const database = new DatabaseSync(join(stateDirectory, "gateway.sqlite"));
database.exec(`
  pragma journal_mode = wal;
  create table if not exists counters (name text primary key, value integer not null);
  insert or ignore into counters values ('visits', 0);
`);
const countVisit = database.prepare("update counters set value = value + 1 where name = 'visits' returning value");

const work = new Work(database, addNote);
const deliveries = new Deliveries(database, process.env);
const startedAt = Date.now() + Number(process.env.REFERENCE_GATEWAY_WARM_MS ?? 0);
const tickets = new Tickets({ ...process.env, TENANT_SLUG: slug });

/** Returns the user of a valid ticket, else `nobody`. */
function userOf(request) {
  const claims = tickets.claimsOf(String(request.headers["x-platform-ticket"] ?? ""));
  return claims !== undefined && claims.exp > Date.now() / 1000 ? claims.sub : "nobody";
}

const digest = (text) => createHash("sha256").update(text).digest();

function holdsToken(request) {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(token));
}

function send(response, status, type, body) {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
  });
  response.end(body);
}

const sendJson = (response, status, value) => send(response, status, "application/json", JSON.stringify(value));

const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function page(request) {
  const { value } = countVisit.get();
  const role = escapeHtml(String(request.headers["x-platform-role"] ?? "none"));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(slug)}: gateway</title>
<h1>Gateway of <span id="tenant">${escapeHtml(slug)}</span></h1>
<p>Visits: <span id="visits">${value}</span></p>
<p>You are <span id="user">${escapeHtml(userOf(request))}</span>, your role: <span id="role">${role}</span></p>
`;
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function listNotes() {
  const files = readdirSync(notes).filter((name) => name.endsWith(".json"));
  return files
    .map((name) => JSON.parse(readFileSync(join(notes, name), "utf8")))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}

/** Parses a request's JSON; `undefined` after an error response. */
async function readJson(request, response) {
  const body = await readBody(request);
  if (body === undefined) return sendJson(response, 413, { error: "The body is too large." });
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return sendJson(response, 400, { error: "Send JSON." });
  }
}

function addNote(text) {
  const note = { id: randomUUID(), at: new Date().toISOString(), text };
  const path = join(notes, `${note.id}.json`);
  writeFileSync(`${path}.new`, JSON.stringify(note), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return note;
}

/** Returns the `text` of a request; `undefined` after an error response. */
async function readText(request, response) {
  const given = await readJson(request, response);
  if (given === undefined) return undefined;
  if (typeof given.text === "string" && given.text !== "") return given.text;
  return sendJson(response, 400, { error: "Send { text }." });
}

async function postNote(request, response) {
  const text = await readText(request, response);
  if (text !== undefined) sendJson(response, 201, addNote(text));
}

async function ask(request, response) {
  const text = await readText(request, response);
  if (text === undefined) return;
  const { status, ...answer } = await askModel(process.env, text);
  sendJson(response, status === 200 ? 200 : 502, answer);
}

async function addJob(request, response) {
  const given = await readJson(request, response);
  if (given === undefined) return;
  const job = { at: Date.parse(given.at), text: given.text, forMs: given.forMs ?? 0 };
  const isJob = job.at > 0 && typeof job.text === "string" && job.forMs >= 0;
  if (!isJob) return sendJson(response, 400, { error: "Send { at, text, forMs }." });
  work.schedule(job);
  sendJson(response, 201, job);
}

async function setChannels(request, response) {
  const given = await readJson(request, response);
  if (given === undefined) return;
  if (!Number.isInteger(given.connected)) return sendJson(response, 400, { error: "Send { connected }." });
  work.connect(given.connected);
  sendJson(response, 200, given);
}

async function setDeliveryRule(request, response) {
  const given = await readJson(request, response);
  if (given === undefined) return;
  deliveries.setRule(given);
  sendJson(response, 200, given);
}

/** Whether a program of this machine sent a request, and not the Worker. */
const isFromWithin = ({ headers, socket }) =>
  /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "") && headers["x-platform-role"] === undefined;

async function count(url, response) {
  const to = Math.min(Number(url.searchParams.get("to") ?? 20), 10_000);
  const everyMs = Math.min(Number(url.searchParams.get("everyMs") ?? 100), 10_000);
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  for (let i = 1; i <= to && !response.destroyed; i++) {
    response.write(`${i}\n`);
    await delay(everyMs);
  }
  response.end();
}

async function answer(request, response) {
  const url = new URL(request.url, "http://gateway");
  const route = `${request.method} ${url.pathname}`;
  if (route === "GET /health") return sendJson(response, 200, { ok: true, status: "live" });
  if (route === "GET /startupz") return sendJson(response, Date.now() < startedAt ? 503 : 200, {});
  if (route === "GET /workz" && isFromWithin(request)) return sendJson(response, 200, work.status());
  if (isTicketKeyOrder(request)) return answerTicketKeyOrder(tickets, request, response);
  if (deliveries.handles(request)) return deliveries.handle(request, response);
  if (!holdsToken(request)) return sendJson(response, 401, { error: "The gateway token is missing or wrong." });
  if (route === "GET /") return send(response, 200, "text/html; charset=utf-8", page(request));
  if (route === "GET /api/notes") return sendJson(response, 200, { notes: listNotes() });
  if (route === "POST /api/notes") return postNote(request, response);
  if (route === "POST /api/ask") return ask(request, response);
  if (route === "POST /api/jobs") return addJob(request, response);
  if (route === "POST /api/channels") return setChannels(request, response);
  if (route === "GET /api/deliveries") return sendJson(response, 200, deliveries.report());
  if (route === "POST /api/deliveries") return setDeliveryRule(request, response);
  if (route === "GET /api/count") return count(url, response);
  sendJson(response, 404, { error: `${url.pathname} was not found.` });
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    if (response.headersSent) response.destroy();
    else sendJson(response, 500, { error: `The gateway failed to answer: ${error.cause ?? error}` });
  });
});
server.on("upgrade", (request, socket, head) => {
  if (!holdsToken(request) || new URL(request.url, "http://gateway").pathname !== "/echo") {
    const status = holdsToken(request) ? "404 Not Found" : "401 Unauthorized";
    return socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  }
  echo(request, socket, head);
});
const host = process.env.GATEWAY_BIND === "lan" ? "0.0.0.0" : "127.0.0.1";
server.listen(Number(process.env.GATEWAY_PORT ?? 18789), host, () => {
  process.stdout.write(`listening on port ${server.address().port}\n`);
});

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, () => {
    server.close();
    server.closeAllConnections();
    database.close();
    process.exit(0);
  });
}
