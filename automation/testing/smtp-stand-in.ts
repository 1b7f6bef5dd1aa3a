/** Mail server with replies that a test chooses. */
import { EventEmitter, once } from "node:events";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface StandInOptions {
  /** Called for a connection; the greeting waits for it. */
  onGreeting?: () => Promise<void>;
  /** Returns the reply code that refuses a recipient. */
  refuseRecipient?: (address: string) => number | undefined;
  /** Called with a message before the reply. */
  onMessage?: (raw: string) => Promise<void>;
}

export interface SmtpStandIn {
  url: string;
  messages: string[];
  /** Resolves at the next connection. */
  connected(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSmtpStandIn(options: StandInOptions = {}): Promise<SmtpStandIn> {
  const messages: string[] = [];
  const emitter = new EventEmitter();
  const given: SMTPServerOptions = {
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      emitter.emit("connected");
      (options.onGreeting?.() ?? Promise.resolve()).then(() => done(), done);
    },
    onRcptTo({ address }, _session, done) {
      const responseCode = options.refuseRecipient?.(address);
      if (responseCode === undefined) return done();
      done(Object.assign(new Error(`no mailbox ${address} here`), { responseCode }));
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.once("end", () => {
        const raw = Buffer.concat(chunks).toString();
        messages.push(raw);
        (options.onMessage?.(raw) ?? Promise.resolve()).then(() => done(), done);
      });
    },
  };
  const server = new SMTPServer(given);
  // A killed client must not fail the test.
  server.on("error", () => undefined);
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    connected: async () => void (await once(emitter, "connected")),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
