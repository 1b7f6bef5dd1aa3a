/**
 * The states of a message as a data table: every allowed transition. `InboxStore.move` is the only code that writes a state, and it reads this
 * table. `docs/reference/inbox-states.md` shows it.
 */
import type { MessageState } from "#workers/contracts/tenant/inbox.ts";

/** `none`: the message is not stored. */
export type MessageNode = MessageState | "none";

/**
 * What a transition does besides the state.
 * - `store-content`, `delete-content`: body and headers. The event ID stays either way.
 * - `count-attempt`: raises the number of attempts and stores the failure.
 * - `delay`: the next attempt is due later.
 * - `reset-attempts`: the message gets as many attempts, and as much time, as a new one.
 */
export type MessageEffect = "store-content" | "delete-content" | "count-attempt" | "delay" | "reset-attempts";

export interface MessageTransition {
  event: string;
  from: readonly MessageNode[];
  to: MessageNode;
  /** In words. */
  guard: string;
  effects: readonly MessageEffect[];
}

const TABLE = [
  {
    event: "received",
    from: ["none"],
    to: "queued",
    guard: "The door has no message with this event ID, and the inbox has room.",
    effects: ["store-content"],
  },
  {
    event: "attempted",
    from: ["queued"],
    to: "delivering",
    guard: "It is due, the first of its conversation, and the gateway runs.",
    effects: [],
  },
  {
    event: "accepted",
    from: ["delivering"],
    to: "accepted",
    guard: "The gateway's response has the kind's sign of acceptance.",
    effects: ["count-attempt"],
  },
  {
    event: "failed",
    from: ["delivering"],
    to: "queued",
    guard: "The failure may pass, and the message still has attempts and time.",
    effects: ["count-attempt", "delay"],
  },
  {
    event: "refused",
    from: ["delivering"],
    to: "dead",
    guard: "The failure is final, or the message has no attempts or time left.",
    effects: ["count-attempt"],
  },
  {
    event: "expired",
    from: ["queued"],
    to: "dead",
    guard: "It has no time left, and the gateway was not ready for an hour.",
    effects: [],
  },
  {
    event: "interrupted",
    from: ["delivering"],
    to: "queued",
    guard: "The gateway is starting or was restarted, or the Supervisor ended during the attempt.",
    effects: ["delay"],
  },
  {
    event: "saved",
    from: ["accepted"],
    to: "accepted",
    guard: "A backup that began after the acceptance is complete.",
    effects: ["delete-content"],
  },
  {
    event: "state lost",
    from: ["accepted"],
    to: "queued",
    guard: "The gateway's state is replaced by one from before the acceptance.",
    effects: ["reset-attempts"],
  },
  {
    event: "replayed",
    from: ["dead"],
    to: "queued",
    guard: "An administrator asked for it.",
    effects: ["reset-attempts"],
  },
  {
    event: "dropped",
    from: ["queued", "dead"],
    to: "dropped",
    guard: "An administrator asked for it.",
    effects: ["delete-content"],
  },
  {
    event: "forgotten",
    from: ["accepted", "dead", "dropped"],
    to: "none",
    guard: "Its time is over: 7 days after acceptance or drop, 30 days after death.",
    effects: ["delete-content"],
  },
] as const satisfies readonly MessageTransition[];

export type MessageEvent = (typeof TABLE)[number]["event"];

export const messageTransitions: readonly (MessageTransition & { event: MessageEvent })[] = TABLE;

/** Returns the only transition of an event. */
export function transitionOf(event: MessageEvent): MessageTransition {
  const transition = messageTransitions.find((row) => row.event === event);
  if (transition === undefined) throw new Error(`The table of transitions has no event "${event}".`);
  return transition;
}
