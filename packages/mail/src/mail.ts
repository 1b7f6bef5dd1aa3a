/** The local edge's mail catcher: a real SMTP receiver on loopback whose messages are kept and shown, never sent on. */

import type { Log } from "@tenantry/std/log";
import { sameSecret } from "@tenantry/std/same-secret";
import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { SMTPServer } from "smtp-server";
import { Mailbox, type StoredMessage } from "./mailbox.ts";

const MAX_MESSAGE_BYTES = 5_000_000;
const STOP_MS = 1_000;

export interface Mail {
  /** Where to send mail, without authentication or TLS. */
  smtpUrl: string;
  /** `GET /` lists the messages, `GET /:id` shows one: JSON, or a page for a browser. */
  app: Hono;
  stop(): Promise<void>;
}

/**
 * @param options.directory where the messages are kept
 * @param options.token asked for by `app`, since messages hold invitation links: as a bearer token, or as the password of
 *   a browser's log-in; nobody is asked when left out
 */
export async function startMail(options: { directory: string; token?: string; log: Log }): Promise<Mail> {
  const { directory, token, log } = options;
  const mailbox = await Mailbox.open(directory);
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: MAX_MESSAGE_BYTES,
    closeTimeout: STOP_MS,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => {
        if (!stream.sizeExceeded) chunks.push(chunk);
      });
      stream.once("end", () => {
        if (stream.sizeExceeded) {
          done(Object.assign(new Error(`The message is over ${MAX_MESSAGE_BYTES} bytes`), { responseCode: 552 }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        const envelope = { from: mailFrom === false ? "" : mailFrom.address, to: rcptTo.map(({ address }) => address) };
        mailbox.keep(Buffer.concat(chunks), envelope).then(
          (id) => {
            log("mail", "received", { id });
            done();
          },
          () => done(new Error("The message could not be kept")),
        );
      });
    },
  });
  server.on("error", (error) => log("mail", "failed", { message: error.message }));
  const port = await listen(server);
  return {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    app: mailApp(mailbox, token),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function listen(server: SMTPServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const listener = server.listen(0, "127.0.0.1", () => {
      server.off("error", reject);
      const address = listener.address();
      if (address === null || typeof address === "string") reject(new Error("The mail catcher has no port."));
      else resolve(address.port);
    });
  });
}

const refused = (context: Context, status: 401 | 404, code: string, message: string): Response =>
  context.json({ error: { code, message } }, status);

function mailApp(mailbox: Mailbox, token: string | undefined): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    if (token === undefined || isAllowed(context.req.header("authorization"), token)) return next();
    context.header("www-authenticate", 'Basic realm="Local mail: the edge\'s token is the password"');
    return refused(context, 401, "authentication_required", "Send the local edge's token as bearer token or password.");
  });
  app.use(async (context, next) => {
    await next();
    context.header("cache-control", "no-store");
    context.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
  });
  app.get("/", async (context) => {
    const messages = await mailbox.list();
    if (!wantsPage(context.req.header("accept"))) return context.json({ messages: messages.map(summary) });
    const base = context.req.path.replace(/\/$/, "");
    const rows = messages.map(
      ({ id, receivedAt, to, subject }) =>
        html`<tr><td>${receivedAt}</td><td>${to.join(", ")}</td><td><a href="${base}/${id}">${subject || "(no subject)"}</a></td></tr>`,
    );
    return context.html(html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Local mail</title>
<h1>Local mail</h1><p>${messages.length} messages, none of them sent on.</p><table>${rows}</table></html>`);
  });
  app.get("/:id", async (context) => {
    const message = await mailbox.find(context.req.param("id"));
    if (message === undefined) return refused(context, 404, "not_found", "There is no such message.");
    if (!wantsPage(context.req.header("accept"))) return context.json(message);
    return context.html(html`<!doctype html><html lang="en"><meta charset="utf-8"><title>${message.subject}</title>
<h1>${message.subject}</h1><p>From ${message.from} to ${message.to.join(", ")}, ${message.receivedAt}</p><pre>${message.text}</pre></html>`);
  });
  return app;
}

function summary({ id, receivedAt, from, to, subject }: StoredMessage) {
  return { id, receivedAt, from, to, subject };
}

function wantsPage(accept: string | undefined): boolean {
  return accept?.includes("text/html") ?? false;
}

function isAllowed(header: string | undefined, token: string): boolean {
  const [, scheme = "", value = ""] = /^(bearer|basic)\s+(\S+)$/i.exec(header ?? "") ?? [];
  const given =
    scheme.toLowerCase() === "basic"
      ? Buffer.from(value, "base64")
          .toString()
          .replace(/^[^:]*:/, "")
      : value;
  return sameSecret(given, token);
}
