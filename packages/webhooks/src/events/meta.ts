import * as z from "zod";
import type { WebhookRequest } from "../verdict.ts";
import { jsonOf } from "./body.ts";
import { allOf, id, maybe, named, type Reader, text } from "./event.ts";

/** "An int you must pass back" (developers.facebook.com/docs/graph-api/webhooks/getting-started#verification-requests). */
const CHALLENGE = /^[\w.-]{1,256}$/;

function answerTo({ query }: WebhookRequest): ReturnType<Reader> {
  const [challenge = "", ...others] = query.getAll("hub.challenge");
  if (query.get("hub.mode") !== "subscribe" || others.length > 0 || !CHALLENGE.test(challenge)) return undefined;
  return { answer: { status: 200, headers: { "content-type": "text/plain" }, body: challenge } };
}

/** developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages */
const whatsappMessage = z.object({ id: text, from: maybe(text), from_user_id: maybe(text) });
const whatsappStatus = z.object({ id: text, status: text, timestamp: id, recipient_id: maybe(text) });
const whatsappBody = z.object({
  entry: z.array(
    z.object({
      changes: z.array(
        z.object({
          value: z.object({
            metadata: maybe(z.object({ phone_number_id: maybe(id) })),
            messages: maybe(z.array(whatsappMessage).min(1)),
            statuses: maybe(z.array(whatsappStatus).min(1)),
          }),
        }),
      ),
    }),
  ),
});

type WhatsappValue = z.infer<typeof whatsappBody>["entry"][number]["changes"][number]["value"];

function whatsappIds({ messages = [], statuses = [] }: WhatsappValue): (string | undefined)[] {
  const ids = [
    ...messages.map((message) => message.id),
    ...statuses.map((one) => `${one.id}:${one.status}:${one.timestamp}`),
  ];
  return ids.length === 0 ? [undefined] : ids;
}

function whatsappConversation({ metadata, messages, statuses }: WhatsappValue): string | undefined {
  const message = messages?.[0];
  const peer = message?.from ?? message?.from_user_id ?? statuses?.[0]?.recipient_id;
  return peer === undefined ? undefined : named(metadata?.phone_number_id ?? "", peer);
}

export const readWhatsapp: Reader = (request) => {
  if (request.method === "GET") return answerTo(request);
  const { data } = whatsappBody.safeParse(jsonOf(request.body));
  if (!data) return undefined;
  const values = data.entry.flatMap((entry) => entry.changes.map((change) => change.value));
  return {
    ids: allOf(values.flatMap(whatsappIds)),
    conversation: values.map(whatsappConversation).find((one) => one !== undefined),
  };
};

/** developers.facebook.com/docs/messenger-platform/reference/webhook-events */
const withMid = z.object({ mid: maybe(text), is_echo: maybe(z.boolean()) });
const party = z.object({ id: maybe(id) });
const messengerBody = z.object({
  entry: z.array(
    z.object({
      id: maybe(id),
      messaging: maybe(
        z.array(
          z.object({
            sender: maybe(party),
            recipient: maybe(party),
            message: maybe(withMid),
            postback: maybe(withMid),
          }),
        ),
      ),
    }),
  ),
});

export const readMessenger: Reader = (request) => {
  if (request.method === "GET") return answerTo(request);
  const { data } = messengerBody.safeParse(jsonOf(request.body));
  if (!data) return undefined;
  const ids = data.entry.flatMap(({ messaging = [] }) =>
    messaging.length === 0 ? [undefined] : messaging.map((event) => event.message?.mid ?? event.postback?.mid),
  );
  const [first] = data.entry;
  const event = first?.messaging?.[0];
  const person = event?.message?.is_echo ? event.recipient?.id : event?.sender?.id;
  return { ids: allOf(ids), conversation: person === undefined ? undefined : named(first?.id ?? "", person) };
};
