/** What states and failures of messages mean, in the dashboard and in the console. */
import { WEBHOOK_KINDS } from "@tenantry/webhooks/kinds";
import type { MessageState } from "../../tenant/inbox.ts";
import type { InboxEntry } from "./doors.ts";

export const MESSAGE_STATES: Readonly<Record<MessageState, string>> = {
  queued: "Waits for its delivery",
  delivering: "An attempt is in progress",
  accepted: "The gateway has the message. Only its event ID is stored",
  dead: "The delivery failed. Replay or drop the message",
  dropped: "Deleted by an administrator. Only its event ID is stored",
};

type Failure = NonNullable<InboxEntry["failure"]>;

const REASONS: Readonly<Record<Failure["reason"], readonly [cause: string, remedy: string]>> = {
  status: ["The gateway refused the message", "Read the gateway's log, correct its configuration, then replay."],
  "not-durable": [
    "The gateway did not confirm that it stored the message",
    "Deploy a version of the gateway that confirms deliveries, then replay.",
  ],
  timeout: ["The gateway did not respond in time", "Check the health of the instance, then replay."],
  connection: ["The gateway closed the connection", "Read the gateway's log, then replay."],
  expired: ["The gateway was not ready for 24 hours", "Check the health of the instance, then replay."],
  crash: [
    "The gateway ended at each of the last attempts, while it received no other message",
    "Read the gateway's log, deploy a version that accepts the message, then replay. Else drop it.",
  ],
  "body-lost": [
    "The content of the message is missing in the bucket, or cannot be read",
    "Replay the message once. If it fails again, drop it.",
  ],
};

export const failureCause = ({ reason, status }: Failure): string =>
  status === null ? REASONS[reason][0] : `${REASONS[reason][0]}: status ${status}`;

export const failureRemedy = ({ reason }: Failure): string => REASONS[reason][1];

/** What a person agrees to. */
export const INBOX_CHANGES = {
  replay:
    "Replayed messages are queued again, with as many attempts and as much time as new ones. The gateway may process a message again that it has processed in part.",
  drop: "The content of dropped messages is deleted and never reaches the gateway. You cannot undo this. To keep a copy, export the inbox first.",
} as const;

/** Texts of an inbox that refuses messages, or soon will. */
export const FULL_INBOX = {
  title: (isFull: boolean) => (isFull ? "The inbox is full" : "The inbox is nearly full"),
  about: (isFull: boolean) =>
    `${isFull ? "Further webhooks are refused, and most services send them again later. " : ""}Replay or drop dead messages, or change the plan.`,
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
