/** An SMTP server on loopback that stores messages and shows them. It never sends them on. */
import { listen } from "@tenantry/std/listening";
import type { Log } from "@tenantry/std/log";
import { equalSecrets } from "@tenantry/std/same-secret";
import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { SMTPServer } from "smtp-server";
import { Mailbox, type StoredMessage } from "./mailbox.ts";

export { mailDifferences } from "./differences.ts";

const MAX_MESSAGE_BYTES = 5_000_000;
const STOP_MS = 1_000;

export interface Mail {
  /** The SMTP server takes mail without authentication or TLS. */
  smtpUrl: string;
  /** `GET /` lists the messages, `GET /:id` returns one: JSON, or HTML for a browser. */
  app: Hono;
  stop(): Promise<void>;
}

/**
 * Starts the SMTP server on a free port of 127.0.0.1.
 *
 * @param options.directory folder of the stored messages
 * @param options.token required by `app`, as a bearer token or as the password of HTTP basic authentication. Default: none
 */
export async function startMail(options: { directory: string; token?: string; log: Log }): Promise<Mail> {
  const { directory, token, log } = options;
  const mailbox = await Mailbox.open(directory);
  const smtp = new SMTPServer({
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
          const error = new Error(`The message must have at most ${MAX_MESSAGE_BYTES} bytes`);
          return done(Object.assign(error, { responseCode: 552 }));
        }
        const { mailFrom, rcptTo } = session.envelope;
        const envelope = { from: mailFrom === false ? "" : mailFrom.address, to: rcptTo.map(({ address }) => address) };
        mailbox.add(Buffer.concat(chunks), envelope).then(
          (id) => {
            log("mail", "received", { id });
            done();
          },
          () => done(new Error("Failed to store the message")),
        );
      });
    },
  });
  smtp.on("error", (error) => log("mail", "failed", { message: error.message }));
  const port = await listen(smtp.server, { port: 0 });
  return {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    app: mailApp(mailbox, token),
    stop: () => new Promise((resolve) => smtp.close(() => resolve())),
  };
}

const errorResponse = (context: Context, status: 401 | 404, code: string, message: string): Response =>
  context.json({ error: { code, message } }, status);

function mailApp(mailbox: Mailbox, token: string | undefined): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    if (token === undefined || isAllowed(context.req.header("authorization"), token)) return next();
    context.header("www-authenticate", 'Basic realm="Local mail: the token is the password"');
    return errorResponse(context, 401, "authentication_required", "Send the token as bearer token or as password.");
  });
  app.use(async (context, next) => {
    await next();
    context.header("cache-control", "no-store");
    context.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
  });
  app.get("/", async (context) => {
    const messages = await mailbox.list();
    if (!wantsPage(context.req.header("accept"))) return context.json({ messages: messages.map(summarize) });
    const base = context.req.path.replace(/\/$/, "");
    const rows = messages.map(
      ({ id, receivedAt, to, subject }) =>
        html`<tr><td>${receivedAt}</td><td>${to.join(", ")}</td><td><a href="${base}/${id}">${subject || "(no subject)"}</a></td></tr>`,
    );
    return context.html(html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Local mail</title>
<h1>Local mail</h1><p>${messages.length} messages. None is delivered.</p><table>${rows}</table></html>`);
  });
  app.get("/:id", async (context) => {
    const message = await mailbox.find(context.req.param("id"));
    if (message === undefined) return errorResponse(context, 404, "not_found", "Message not found.");
    if (!wantsPage(context.req.header("accept"))) return context.json(message);
    return context.html(html`<!doctype html><html lang="en"><meta charset="utf-8"><title>${message.subject}</title>
<h1>${message.subject}</h1><p>From ${message.from} to ${message.to.join(", ")}, ${message.receivedAt}</p><pre>${message.text}</pre></html>`);
  });
  return app;
}

function summarize({ id, receivedAt, from, to, subject }: StoredMessage) {
  return { id, receivedAt, from, to, subject };
}

function wantsPage(accept: string | undefined): boolean {
  return accept?.includes("text/html") ?? false;
}

function isAllowed(header: string | undefined, token: string): boolean {
  const [, scheme = "", value = ""] = /^(bearer|basic)\s+(\S+)$/i.exec(header ?? "") ?? [];
  if (scheme.toLowerCase() !== "basic") return equalSecrets(value, token);
  const credentials = Buffer.from(value, "base64").toString();
  return equalSecrets(credentials.replace(/^[^:]*:/, ""), token);
}
