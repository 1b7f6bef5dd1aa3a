import type { InboxEntry } from "#workers/contracts/api/tenants/doors.ts";
import { doorKindLabel, failureCause, failureRemedy } from "#workers/contracts/api/tenants/inbox-texts.ts";
import { Dialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";
import { Facts, factEntry } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Ago, Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { MessageBadge } from "./message-columns.tsx";

export default function MessageDetails({ message, onClose }: { message: InboxEntry; onClose: () => void }) {
  const { door, state, failure, conversation, next_attempt_at } = message;
  return (
    <Dialog onClose={onClose} wide title={`Message of ${door.name}`} about={doorKindLabel(door.kind)}>
      <div className="flex flex-col gap-4">
        {failure === null ? null : (
          <Notice tone={state === "dead" ? "bad" : "busy"} title={`${failureCause(failure)}.`}>
            <p>
              {state === "dead" ? (
                failureRemedy(failure)
              ) : (
                <>
                  The platform repeats the delivery{" "}
                  {next_attempt_at === null ? "soon" : <Ago at={next_attempt_at} long />}.
                </>
              )}
            </p>
          </Notice>
        )}
        <Facts
          facts={[
            ["State", <MessageBadge key="state" state={state} />],
            ["Event ID", <code key="event">{message.event_id}</code>],
            ["Conversation", conversation === null ? "None" : <code key="conversation">{conversation}</code>],
            ["Received", <Moment key="received" at={message.received_at} />],
            ["Last change", <Moment key="changed" at={message.changed_at} />],
            ["Attempts", message.attempts],
            ...(next_attempt_at === null
              ? []
              : [factEntry("Next attempt", <Moment key="next" at={next_attempt_at} />)]),
            ["Size", formatBytes(message.bytes)],
          ]}
        />
      </div>
    </Dialog>
  );
}
