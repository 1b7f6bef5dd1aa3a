import * as z from "zod";
import { jsonAcknowledgement } from "../terms.ts";
import { jsonOf } from "./body.ts";
import { type Event, id, maybe, named, type Reader, text } from "./event.ts";

const chat = z.object({ id: z.int(), type: maybe(text) });
const user = z.object({ id: z.int() });
const message = z.object({
  chat: maybe(chat),
  is_topic_message: maybe(z.boolean()),
  message_thread_id: maybe(z.int()),
  business_connection_id: maybe(text),
});
/** All kinds of updates (core.telegram.org/bots/api#update): an update has one of them. */
const content = message.extend({
  message: maybe(message),
  from: maybe(user),
  user: maybe(user),
  voter_chat: maybe(chat),
});
const update = z.looseObject({ update_id: id });

/** "Typing" for a private message, as a method in the response (core.telegram.org/bots/api#making-requests-when-getting-updates). */
function typing(kind: string, { chat: at, ...rest }: z.infer<typeof message>) {
  if (at?.type !== "private" || (kind !== "message" && kind !== "business_message")) return undefined;
  return jsonAcknowledgement({
    method: "sendChatAction",
    chat_id: at.id,
    action: "typing",
    ...(rest.is_topic_message && { message_thread_id: rest.message_thread_id }),
    ...(rest.business_connection_id !== undefined && { business_connection_id: rest.business_connection_id }),
  });
}

export const readTelegram: Reader = ({ body }) => {
  const { data } = update.safeParse(jsonOf(body));
  if (!data) return undefined;
  const { update_id: updateId, ...kinds } = data;
  const event: Event = { ids: [updateId] };
  for (const [kind, value] of Object.entries(kinds)) {
    const parsed = content.safeParse(value).data;
    if (!parsed) continue;
    const at = parsed.chat ? parsed : (parsed.message ?? parsed);
    const owner = at.chat ?? parsed.voter_chat ?? parsed.from ?? parsed.user;
    const topic = at.is_topic_message ? at.message_thread_id?.toString() : undefined;
    const acknowledgement = typing(kind, parsed);
    return { ...event, conversation: named(owner?.id.toString(), topic), ...(acknowledgement && { acknowledgement }) };
  }
  return event;
};
