/** Parameters of Telegram's Bot API, and how it refuses them. */
import type { IncomingMessage } from "node:http";
import * as z from "zod";

export type Parameters = Record<string, unknown>;

export class Failure extends Error {
  readonly status: number;

  constructor(status: number, description: string) {
    super(description);
    this.status = status;
  }
}

export const badRequest = (description: string): Failure => new Failure(400, `Bad Request: ${description}`);

/** A parameter may be sent as JSON, or as text in a query or form. */
const json = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    if (typeof value !== "string") return value;
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }, schema);

const chatId = json(z.number().int());
export const setWebhookParameters = z.object({
  url: z.string().default(""),
  secret_token: z.string().optional(),
  allowed_updates: json(z.array(z.string())).optional(),
  max_connections: json(z.number().int().min(1).max(100)).default(40),
  drop_pending_updates: json(z.boolean()).default(false),
});
export const getUpdatesParameters = z.object({
  offset: json(z.number().int()).default(0),
  limit: json(z.number().int().min(1).max(100)).default(100),
});
export const sendMessageParameters = z.object({ chat_id: chatId, text: z.string().default("") });
export const editMessageParameters = sendMessageParameters.extend({ message_id: json(z.number().int()) });
export const sendChatActionParameters = z.object({
  chat_id: chatId,
  // https://core.telegram.org/bots/api#sendchataction
  action: z.enum([
    "typing",
    "upload_photo",
    "record_video",
    "upload_video",
    "record_voice",
    "upload_voice",
    "upload_document",
    "choose_sticker",
    "find_location",
    "record_video_note",
    "upload_video_note",
  ]),
});

export function parametersOf(request: IncomingMessage, body: string): Parameters {
  const [type] = (request.headers["content-type"] ?? "").split(";");
  if (body === "") return {};
  if (type === "application/x-www-form-urlencoded") return Object.fromEntries(new URLSearchParams(body));
  if (type !== "application/json") throw badRequest("unsupported content type in this stand-in");
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(body));
  } catch {
    throw badRequest("can't parse request body as JSON");
  }
}

export function parsed<T>(schema: z.ZodType<T>, parameters: Parameters): T {
  const { success, data, error } = schema.safeParse(parameters);
  if (!success) throw badRequest(`${error.issues[0]?.path.join(".")} is invalid`);
  return data;
}
