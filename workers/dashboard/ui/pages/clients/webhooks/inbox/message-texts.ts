import type { InboxEntry } from "#workers/contracts/api/tenants/doors.ts";
import type { MessageState } from "#workers/contracts/tenant/inbox.ts";
import type { Tone } from "#workers/dashboard/ui/kit/badge.tsx";

export const STATES: Readonly<Record<MessageState, readonly [tone: Tone, title: string]>> = {
  queued: ["quiet", "Waits for its delivery"],
  delivering: ["busy", "An attempt is in progress"],
  accepted: ["good", "The gateway has the message. Only its event ID is stored"],
  dead: ["bad", "The delivery failed. Replay or drop the message"],
  dropped: ["quiet", "Deleted by an administrator. Only its event ID is stored"],
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
  "body-lost": [
    "The content of the message is missing in the bucket, or cannot be read",
    "Replay the message once. If it fails again, drop it.",
  ],
};

export const failureCause = ({ reason, status }: Failure): string =>
  status === null ? REASONS[reason][0] : `${REASONS[reason][0]}: status ${status}`;

export const failureRemedy = ({ reason }: Failure): string => REASONS[reason][1];
