/** What states and failures of messages mean, in the dashboard and in the console. */
import { WEBHOOK_KINDS } from "@tenantry/webhooks/kinds";
import type { MessageState } from "../../tenant/inbox.ts";
import type { InboxEntry } from "./doors.ts";

export const MESSAGE_STATES: Readonly<Record<MessageState, string>> = {
  queued: "Waits for its delivery",
  delivering: "An attempt is in progress",
  accepted: "The agent has the message. Only its event ID is stored",
  dead: "The delivery failed. Replay or delete the message",
  dropped: "Deleted by an administrator. Only its event ID is stored",
};

type Failure = NonNullable<InboxEntry["failure"]>;

const REASONS: Readonly<Record<Failure["reason"], readonly [cause: string, remedy: string]>> = {
  status: ["The agent refused the message", "Read the log, correct the agent's configuration, then replay."],
  "not-durable": [
    "The agent did not confirm that it stored the message",
    "Change to a version that confirms deliveries, then replay.",
  ],
  timeout: ["The agent did not respond in time", "Check its health, then replay."],
  connection: ["The agent closed the connection", "Read the log, then replay."],
  expired: ["The agent was not ready for 24 hours", "Check its health, then replay."],
  crash: [
    "The agent ended at each of the last attempts, while it received no other message",
    "Read the log, change to a version that accepts the message, then replay. Else delete it.",
  ],
  "body-lost": [
    "The content of the message is missing in the bucket, or cannot be read",
    "Replay the message once. If it fails again, delete it.",
  ],
};

export const failureCause = ({ reason, status }: Failure): string =>
  status === null ? REASONS[reason][0] : `${REASONS[reason][0]}: status ${status}`;

export const failureRemedy = ({ reason }: Failure): string => REASONS[reason][1];

/** What a person agrees to. */
export const INBOX_CHANGES = {
  replay:
    "Replayed messages are queued again, with as many attempts and as much time as new ones. The agent may process a message again that it has processed in part.",
  drop: "The content of the messages is deleted and never reaches the agent. You cannot undo this. To keep a copy, export the inbox first.",
} as const;

/** Texts of an inbox that refuses messages, or soon will. */
export const FULL_INBOX = {
  title: (isFull: boolean) => (isFull ? "The inbox is full" : "The inbox is nearly full"),
  about: (isFull: boolean) =>
    `${isFull ? "Further messages are refused, and most services send them again later. " : ""}Replay or delete failed messages, or change the plan.`,
  /** Share of the limit, as meters mark it. */
  from: 0.8,
};

export const canReplay = ({ state }: InboxEntry): boolean => state === "dead";
export const canDrop = ({ state }: InboxEntry): boolean => state === "dead" || state === "queued";

/** A later release may have more kinds. */
export function doorKindLabel(kind: string): string {
  const known: Readonly<Record<string, { label: string }>> = WEBHOOK_KINDS;
  return known[kind]?.label ?? kind;
}
