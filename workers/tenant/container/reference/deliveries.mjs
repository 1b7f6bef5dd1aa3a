/**
 * Deliveries of the tenant's inbox, as strict as OpenClaw: each is authenticated by the delivery key and stored before it is accepted. It is
 * processed once, in the order of its path, also after the program was killed.
 *
 *   POST /hooks/{name}         `authorization: Bearer KEY`; a JSON body (openclaw/openclaw, src/gateway/hooks.ts)
 *   POST /telegram-webhook     `x-telegram-bot-api-secret-token: KEY`
 *   POST /slack/events         Slack's signature with KEY (docs.slack.dev/authentication/verifying-requests-from-slack)
 *   POST /line/webhook         LINE's signature with KEY (developers.line.biz/en/docs/messaging-api/verify-webhook-signature)
 *   POST /googlechat, /api/messages   the vendor's token, which this program cannot verify and only requires
 *
 * Telegram, LINE and Google Chat respond with `x-openclaw-delivery-accepted: durable` (openclaw/openclaw, pull requests 104407, 115796, 115586).
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** OpenClaw's default limit of hooks (src/gateway/hooks.ts). */
const MAX_BODY_BYTES = 256 * 1024;
const SLACK_WINDOW_SECONDS = 300;
const DURABLE = { "x-openclaw-delivery-accepted": "durable" };

const digest = (text) => createHash("sha256").update(text).digest();
const isSame = (given, expected) => typeof given === "string" && timingSafeEqual(digest(given), digest(expected));
const hmac = (key, content) => createHmac("sha256", key).update(content);

const bearer = ({ headers, key }) => isSame(/^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1], key);
const telegram = ({ headers, key }) => isSame(headers["x-telegram-bot-api-secret-token"], key);
const vendor = ({ headers }) => /^Bearer \S+$/.test(headers.authorization ?? "");
const line = ({ headers, body, key }) => isSame(headers["x-line-signature"], hmac(key, body).digest("base64"));

function slack({ headers, body, key }) {
  const time = headers["x-slack-request-timestamp"] ?? "";
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= SLACK_WINDOW_SECONDS)) return false;
  const expected = hmac(key, Buffer.concat([Buffer.from(`v0:${time}:`), body])).digest("hex");
  return isSame(headers["x-slack-signature"], `v0=${expected}`);
}

const CHANNELS = {
  "/telegram-webhook": { isAuthentic: telegram, headers: DURABLE },
  "/slack/events": { isAuthentic: slack, headers: {} },
  "/line/webhook": { isAuthentic: line, headers: DURABLE },
  "/googlechat": { isAuthentic: vendor, headers: DURABLE },
  "/api/messages": { isAuthentic: vendor, headers: {} },
};
const HOOK = { isAuthentic: bearer, headers: {} };

const targetOf = (path) => CHANNELS[path] ?? (/^\/hooks\/[^/]+$/.test(path) ? HOOK : undefined);

export class Deliveries {
  #database;
  #key;
  #maxBytes;
  #readyAt;
  #isScheduled = false;

  /**
   * @param database an open SQLite database
   * @param env `GATEWAY_TOKEN`; `REFERENCE_GATEWAY_HOOKS_MS` (0: delay until hooks are ready) and `REFERENCE_GATEWAY_MAX_DELIVERY_BYTES` (262144)
   */
  constructor(database, env) {
    this.#database = database;
    this.#key = hmac(env.GATEWAY_TOKEN, "tenantry-deliveries").digest("hex");
    this.#maxBytes = Number(env.REFERENCE_GATEWAY_MAX_DELIVERY_BYTES ?? MAX_BODY_BYTES);
    this.#readyAt = Date.now() + Number(env.REFERENCE_GATEWAY_HOOKS_MS ?? 0);
    database.exec(`
      create table if not exists deliveries (
        seq integer primary key, path text not null, key text not null, message text not null, text text not null, attempts integer not null,
        done integer not null, unique (path, key));
      create table if not exists processed (seq integer primary key, path text not null, key text not null, text text not null);
      create table if not exists delivery_rule (status integer, hold_ms integer not null);
    `);
    this.#schedule();
  }

  /** Whether a request is a delivery. */
  handles({ url }) {
    return targetOf(new URL(url, "http://gateway").pathname) !== undefined;
  }

  /** Sets how the following deliveries are answered. @param rule `status`: refuses them; `holdMs`: delays the response after they are stored */
  setRule({ status = null, holdMs = 0 }) {
    this.#database.exec("delete from delivery_rule");
    this.#database.prepare("insert into delivery_rule values (?, ?)").run(status, holdMs);
  }

  /** Returns what was processed, in order, and how often each delivery was attempted. */
  report() {
    return {
      processed: this.#database.prepare("select path, key, text from processed order by seq").all(),
      attempts: this.#database.prepare("select key, message, attempts from deliveries order by seq").all(),
    };
  }

  async handle(request, response) {
    const { pathname } = new URL(request.url, "http://gateway");
    const target = targetOf(pathname);
    const { status, hold_ms: holdMs } = this.#database.prepare("select * from delivery_rule").get() ?? {};
    if (Date.now() < this.#readyAt) return refuse(response, 404, "Not Found");
    const body = await this.#read(request);
    if (body === undefined) return refuse(response, 413, "payload too large");
    if (!target.isAuthentic({ headers: request.headers, body, key: this.#key }))
      return refuse(response, 401, "Unauthorized");
    if (request.method !== "POST") return refuse(response, 405, "Method Not Allowed");
    if (status) return refuse(response, status, "refused by the rule");
    const text = body.toString("utf8");
    if (!isJson(text)) return refuse(response, 400, "invalid JSON");
    const { "idempotency-key": key, "x-tenantry-delivery": message } = request.headers;
    if (!key || !message) return refuse(response, 400, "a delivery has an Idempotency-Key and an X-Tenantry-Delivery");
    this.#store(pathname, key, message, text);
    if (holdMs > 0) await new Promise((resolve) => setTimeout(resolve, holdMs));
    response.writeHead(200, { "content-type": "application/json", ...target.headers });
    response.end('{"ok":true}');
  }

  #store(path, key, message, text) {
    this.#database
      .prepare(
        "insert into deliveries (path, key, message, text, attempts, done) values (?, ?, ?, ?, 1, 0) on conflict (path, key) do update set attempts = attempts + 1",
      )
      .run(path, key, message, text);
    this.#schedule();
  }

  async #read(request) {
    const chunks = [];
    let size = 0;
    for await (const chunk of request) {
      size += chunk.length;
      // The rest is read and dropped: a client that still sends may not receive the response.
      if (size <= this.#maxBytes) chunks.push(chunk);
    }
    return size <= this.#maxBytes ? Buffer.concat(chunks) : undefined;
  }

  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#processNext();
    });
  }

  #processNext() {
    const next = this.#database.prepare("select * from deliveries where done = 0 order by seq limit 1").get();
    if (next === undefined) return;
    this.#database.exec("begin");
    this.#database
      .prepare("insert into processed (path, key, text) values (?, ?, ?)")
      .run(next.path, next.key, next.text);
    this.#database.prepare("update deliveries set done = 1 where seq = ?").run(next.seq);
    this.#database.exec("commit");
    this.#schedule();
  }
}

function refuse(response, status, error) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ ok: false, error }));
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
