import { createTransport, type Transporter } from "nodemailer";
import * as z from "zod";
import type { Content } from "#workers/shared/mail/content.ts";
import { withoutAddresses } from "../log.ts";
import type { Sender } from "./sender.ts";

const SILENCE_MS = 20_000;
const ANSWER_LENGTH = 500;

/** Result of a delivery. `refused`: permanently. `failed`: it may be retried. */
export interface Delivery {
  outcome: "sent" | "refused" | "failed";
  /** The server's reply, without addresses. */
  answer: string;
}

const fault = z.looseObject({
  message: z.string(),
  code: z.string().optional(),
  command: z.string().optional(),
  /** The server's reply (RFC 5321, section 4.2). */
  responseCode: z.number().optional(),
});
/** Commands whose refusal concerns the configuration, not the mail or its recipient. */
const OWN_COMMANDS = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH.*)$/;

export class Smtp {
  readonly #transport: Transporter;
  readonly #from: Sender;

  /** @param url `smtp://` or `smtps://`. The former requires STARTTLS, except on loopback or with `?ignoreTLS=true` */
  constructor(url: string, from: Sender) {
    this.#from = from;
    this.#transport = openTransport(url);
  }

  async send(mail: { to: string; messageId: string; content: Content }): Promise<Delivery> {
    const { to, messageId } = mail;
    const { unsubscribeUrl, ...content } = mail.content;
    try {
      const { response } = await this.#transport.sendMail({
        from: this.#from,
        // Objects and an envelope, so that no text is parsed as several addresses.
        to: { name: "", address: to },
        envelope: { from: this.#from.address, to: [to] },
        messageId,
        ...content,
        headers: {
          "Auto-Submitted": "auto-generated",
          ...(unsubscribeUrl !== undefined && {
            "List-Unsubscribe": { prepared: true, value: `<${unsubscribeUrl}>` },
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          }),
        },
      });
      return { outcome: "sent", answer: replyText(String(response)) };
    } catch (error) {
      const { message, command = "", code, responseCode = 0 } = fault.parse(error);
      const isOurs = code === "EAUTH" || OWN_COMMANDS.test(command);
      const isRefused = responseCode >= 500 && responseCode <= 599 && !isOurs;
      return { outcome: isRefused ? "refused" : "failed", answer: replyText(message) };
    }
  }
}

function openTransport(url: string): Transporter {
  const { hostname, searchParams } = new URL(url);
  const isLoopback = ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  return createTransport({
    url,
    requireTLS: !isLoopback && searchParams.get("ignoreTLS") !== "true",
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Connects and logs in, without a mail. @returns why that fails; undefined if it does not */
export async function verifyServer(url: string): Promise<string | undefined> {
  try {
    const transport = openTransport(url);
    try {
      await transport.verify();
    } finally {
      transport.close();
    }
    return undefined;
  } catch (error) {
    return replyText(fault.parse(error).message);
  }
}

const replyText = (text: string) => withoutAddresses(text).slice(0, ANSWER_LENGTH);
