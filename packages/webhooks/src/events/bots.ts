/** Events of bots whose requests have a token: Google Chat and Microsoft Teams. */
import * as z from "zod";
import { jsonOf } from "./body.ts";
import { maybe, named, type Reader, text } from "./event.ts";

const withName = z.object({ name: maybe(text) });
const place = { space: maybe(withName), message: maybe(withName.extend({ space: maybe(withName) })) };

/** developers.google.com/workspace/chat/api/reference/rest/v1/Event, and of add-ons: …/workspace/add-ons/concepts/event-objects#chat-event-object */
const chatEvent = z.object({
  type: maybe(text),
  eventTime: maybe(text),
  ...place,
  chat: maybe(z.looseObject({ eventTime: maybe(text) })),
});
const payload = z.object(place);

function chatPlace(event: z.infer<typeof chatEvent>) {
  if (!event.chat) return { kind: event.type, ...event };
  for (const [kind, value] of Object.entries(event.chat)) {
    const parsed = kind.endsWith("Payload") ? payload.safeParse(value).data : undefined;
    if (parsed) return { kind, eventTime: event.chat.eventTime, ...parsed };
  }
  return { kind: undefined, eventTime: event.chat.eventTime, space: undefined, message: undefined };
}

export const readGooglechat: Reader = ({ body }) => {
  const { data } = chatEvent.safeParse(jsonOf(body));
  if (!data) return undefined;
  const { kind, eventTime, message, space } = chatPlace(data);
  const conversation = space?.name ?? message?.space?.name;
  const about = message?.name ?? conversation;
  const eventId = eventTime === undefined || about === undefined ? undefined : named(kind, about, eventTime);
  return { ids: eventId === undefined ? [] : [eventId], conversation };
};

/** learn.microsoft.com/en-us/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference#activity-object */
const activity = z.object({
  type: text,
  id: maybe(text),
  timestamp: maybe(text),
  conversation: maybe(z.object({ id: maybe(text) })),
});

export const readMsteams: Reader = ({ body }) => {
  const { data } = activity.safeParse(jsonOf(body));
  if (!data) return undefined;
  const { type, id, timestamp, conversation } = data;
  // An update of a message has the message's id.
  const eventId = id === undefined ? undefined : named(type, id, type === "message" ? undefined : timestamp);
  return { ids: eventId === undefined ? [] : [eventId], conversation: conversation?.id };
};
