import { Eye, RotateCcw, Trash2 } from "lucide-react";
import type { InboxEntry } from "#workers/contracts/api/tenants/doors.ts";
import { canDrop, canReplay, failureCause, MESSAGE_STATES } from "#workers/contracts/api/tenants/inbox-texts.ts";
import { MAX_INBOX_PAGE, type MessageState } from "#workers/contracts/tenant/inbox.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { capitalised } from "#workers/dashboard/ui/kit/format.ts";
import type { Column } from "#workers/dashboard/ui/kit/list/table.tsx";
import { ActionsMenu } from "#workers/dashboard/ui/kit/menu/menu.tsx";
import type { MenuProps } from "#workers/dashboard/ui/kit/menu/menu-list.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";

const TONES: Readonly<Record<MessageState, Tone>> = {
  queued: "quiet",
  delivering: "busy",
  accepted: "good",
  dead: "bad",
  dropped: "quiet",
};

const STATE_NAMES: Readonly<Record<MessageState, string>> = {
  queued: "waiting",
  delivering: "delivering",
  accepted: "delivered",
  dead: "failed",
  dropped: "deleted",
};
export const messageStateName = (state: MessageState): string => capitalised(STATE_NAMES[state]);

export function MessageBadge({ state }: { state: MessageState }) {
  return (
    <Badge tone={TONES[state]} title={MESSAGE_STATES[state]}>
      {STATE_NAMES[state]}
    </Badge>
  );
}

interface ColumnsOptions {
  selected: ReadonlySet<string>;
  onSelect: (id: string, selected: boolean) => void;
  onOpen: (message: InboxEntry, what: "details" | "replay" | "drop") => void;
}

export const messageColumns = ({ selected, onSelect, onOpen }: ColumnsOptions): readonly Column<InboxEntry>[] => [
  {
    header: "Select",
    width: 44,
    cell: (message) => (
      <input
        type="checkbox"
        aria-label={`Select message ${message.event_id}`}
        className="size-4 accent-accent"
        checked={selected.has(message.id)}
        disabled={!canDrop(message) || (selected.size >= MAX_INBOX_PAGE && !selected.has(message.id))}
        onChange={(event) => onSelect(message.id, event.currentTarget.checked)}
      />
    ),
  },
  {
    header: "Message",
    share: 1.7,
    cell: ({ door, event_id }) => (
      <>
        <span className="font-medium">{door.name}</span>
        <span className="block truncate text-xs text-quiet" title={event_id}>
          {event_id}
        </span>
      </>
    ),
  },
  {
    header: "State",
    share: 1.5,
    cell: ({ state, received_at }) => (
      <>
        <MessageBadge state={state} />
        <span className="block text-xs text-quiet sm:hidden">
          <Ago at={received_at} />
        </span>
      </>
    ),
  },
  { header: "Age", from: "sm", share: 0.8, cell: ({ received_at }) => <Ago at={received_at} /> },
  { header: "Attempts", from: "md", share: 0.6, right: true, cell: ({ attempts }) => attempts },
  {
    header: "Reason",
    from: "md",
    share: 3,
    cell: ({ failure }) => {
      if (failure === null) return <span className="text-quiet">None</span>;
      return <span title={failureCause(failure)}>{failureCause(failure)}</span>;
    },
  },
  {
    header: "Actions",
    width: 60,
    right: true,
    cell: (message) => <MessageMenu message={message} onOpen={(what) => onOpen(message, what)} />,
  },
];

interface MessageMenuProps {
  message: InboxEntry;
  onOpen: (what: "details" | "replay" | "drop") => void;
}

function MessageMenu({ message, onOpen }: MessageMenuProps) {
  const groups: MenuProps["groups"] = [
    [{ name: "Show details", icon: <Eye aria-hidden="true" />, onSelect: () => onOpen("details") }],
    canReplay(message)
      ? [{ name: "Replay message", icon: <RotateCcw aria-hidden="true" />, onSelect: () => onOpen("replay") }]
      : [],
    canDrop(message)
      ? [{ name: "Delete message", icon: <Trash2 aria-hidden="true" />, danger: true, onSelect: () => onOpen("drop") }]
      : [],
  ];
  return <ActionsMenu of={`message ${message.event_id}`} groups={groups} />;
}
