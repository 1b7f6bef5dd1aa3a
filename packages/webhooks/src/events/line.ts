import * as z from "zod";
import { jsonOf } from "./body.ts";
import { allOf, maybe, type Reader, text } from "./event.ts";

/** developers.line.biz/en/reference/messaging-api/#webhook-event-objects */
const webhook = z.object({
  events: z.array(
    z.object({
      webhookEventId: maybe(text),
      source: maybe(z.object({ groupId: maybe(text), roomId: maybe(text), userId: maybe(text) })),
    }),
  ),
});

export const readLine: Reader = ({ body }) => {
  const { data } = webhook.safeParse(jsonOf(body));
  if (!data) return undefined;
  const [first] = data.events;
  // The console's "Verify" (developers.line.biz/en/reference/messaging-api/#request-body).
  if (!first) return { answer: { status: 200, headers: {}, body: "" } };
  const { groupId, roomId, userId } = first.source ?? {};
  return { ids: allOf(data.events.map((event) => event.webhookEventId)), conversation: groupId ?? roomId ?? userId };
};
