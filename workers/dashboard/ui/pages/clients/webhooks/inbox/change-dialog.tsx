import { doorRoutes } from "#workers/contracts/api/tenants/doors.ts";
import { INBOX_CHANGES } from "#workers/contracts/api/tenants/inbox-texts.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { INBOX_TAG } from "./inbox.ts";

export interface InboxChange {
  what: "replay" | "drop";
  /** IDs of messages; `all`: all dead messages. */
  of: readonly string[] | "all";
  /** Number of messages. */
  count: number;
}

interface ChangeDialogProps extends InboxChange {
  instanceId: string;
  onClose: () => void;
  onDone: () => void;
}

const messages = (count: number) => `${formatNumber(count)} ${count === 1 ? "message" : "messages"}`;

const TEXTS = {
  replay: {
    verb: "Replay",
    about: INBOX_CHANGES.replay,
    done: (changed: number) => `${messages(changed)} queued again`,
  },
  drop: {
    verb: "Delete",
    about: INBOX_CHANGES.drop,
    done: (changed: number) => `${messages(changed)} deleted`,
  },
} as const;

export default function ChangeDialog({ instanceId, what, of, count, onClose, onDone }: ChangeDialogProps) {
  const { verb, about, done } = TEXTS[what];
  const change = useChange(what === "replay" ? doorRoutes.replayInbox : doorRoutes.dropInbox, {
    also: [INBOX_TAG],
    success: ({ changed }) => ({
      title: done(changed),
      ...(of !== "all" && changed < count && { about: "The others have left this state in the meantime." }),
    }),
    onDone,
  });
  const named = of === "all" ? `all failed messages (${formatNumber(count)})` : messages(count);
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`${verb} ${named}?`}
      about={about}
      action={`${verb} ${count === 1 ? "message" : "messages"}`}
      danger={what === "drop"}
      change={change}
      onSubmit={() =>
        change.mutate({
          params: { instance_id: instanceId },
          body: of === "all" ? { all: true } : { ids: [...of] },
        })
      }
    />
  );
}
