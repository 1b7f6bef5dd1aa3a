import { useInfiniteQuery } from "@tanstack/react-query";
import { Download, RotateCw } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { doorRoutes, type InboxEntry } from "#workers/contracts/api/tenants/doors.ts";
import { canDrop, canReplay } from "#workers/contracts/api/tenants/inbox-texts.ts";
import { type MessageState, messageStates } from "#workers/contracts/tenant/inbox.ts";
import { addressOf } from "#workers/dashboard/ui/api/ask.ts";
import { Button, ButtonAnchor } from "#workers/dashboard/ui/kit/button.tsx";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { ChoiceFilter } from "#workers/dashboard/ui/kit/list/filters.tsx";
import { PagedTable } from "#workers/dashboard/ui/kit/list/paged-table.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";
import type { InboxChange } from "./change-dialog.tsx";
import { inboxOf } from "./inbox.ts";
import { InboxStatusView } from "./inbox-status.tsx";
import { messageColumns, messageStateName } from "./message-columns.tsx";

const ChangeDialog = lazy(() => import("./change-dialog.tsx"));
const MessageDetails = lazy(() => import("./message-details.tsx"));

const NONE: ReadonlySet<string> = new Set();

export function InboxCard({ instanceId }: { instanceId: string }) {
  const [state, setState] = useState<MessageState>();
  const [selected, setSelected] = useState(NONE);
  const [change, setChange] = useState<InboxChange>();
  const [shownId, setShownId] = useState<string>();
  const query = useInfiniteQuery(inboxOf(instanceId, state));
  const messages = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data]);
  // The newest status: pages are fetched in their order.
  const status = query.data?.pages.at(-1)?.inbox;
  // Messages leave the list when their state changes.
  const chosen = messages.filter(({ id }) => selected.has(id));
  const shown = messages.find(({ id }) => id === shownId);
  const columns = useMemo(
    () =>
      messageColumns({
        selected,
        onSelect: (id, isSelected) =>
          setSelected((before) => new Set(isSelected ? [...before, id] : [...before].filter((one) => one !== id))),
        onOpen: ({ id }, what) => (what === "details" ? setShownId(id) : setChange({ what, of: [id], count: 1 })),
      }),
    [selected],
  );
  return (
    <>
      <Card
        title="Inbox"
        about="Messages of channels and webhooks wait here until the agent accepts them."
        flush
        actions={
          <>
            <ChoiceFilter
              name="State"
              none="Waiting and failed"
              nameOf={messageStateName}
              value={state}
              values={messageStates}
              onChange={(next) => {
                setState(next);
                setSelected(NONE);
              }}
            />
            <ButtonAnchor
              download
              href={addressOf(doorRoutes.exportInbox, { params: { instance_id: instanceId }, query: { state } })}
            >
              <Download aria-hidden="true" /> Export messages
            </ButtonAnchor>
            <Button
              variant="ghost"
              icon
              aria-label="Refresh inbox"
              busy={query.isFetching}
              onClick={() => void query.refetch()}
            >
              {query.isFetching ? null : <RotateCw aria-hidden="true" />}
            </Button>
          </>
        }
      >
        {status === undefined ? null : <InboxStatusView status={status} />}
        {status === undefined ? null : (
          <Changes chosen={chosen} dead={status.dead} onChange={setChange} onClear={() => setSelected(NONE)} />
        )}
        <PagedTable
          label="Inbox"
          query={query}
          columns={columns}
          idOf={({ id }) => id}
          empty={
            <Empty title={state === undefined ? "No messages waiting" : "No messages in this state"}>
              {state === undefined
                ? "A message appears here when it arrives, and leaves when the agent accepts it."
                : "Select another state to see other messages."}
            </Empty>
          }
        />
      </Card>
      <Suspense>
        {change === undefined ? null : (
          <ChangeDialog
            {...change}
            instanceId={instanceId}
            onClose={() => setChange(undefined)}
            onDone={() => {
              setChange(undefined);
              setSelected(NONE);
            }}
          />
        )}
        {shown === undefined ? null : <MessageDetails message={shown} onClose={() => setShownId(undefined)} />}
      </Suspense>
    </>
  );
}

interface ChangesProps {
  chosen: readonly InboxEntry[];
  dead: number;
  onChange: (change: InboxChange) => void;
  onClear: () => void;
}

/** Buttons for the selected messages, or without a selection for all dead ones. */
function Changes({ chosen, dead, onChange, onClear }: ChangesProps) {
  if (chosen.length === 0 && dead === 0) return null;
  if (chosen.length === 0) {
    const all = { of: "all", count: dead } as const;
    return (
      <div className="flex flex-wrap items-center gap-2 px-4 pb-3">
        <Button small onClick={() => onChange({ what: "replay", ...all })}>
          Replay all failed
        </Button>
        <Button small onClick={() => onChange({ what: "drop", ...all })}>
          Delete all failed
        </Button>
      </div>
    );
  }
  const selected = (can: (message: InboxEntry) => boolean) => {
    const of = chosen.filter(can).map(({ id }) => id);
    return { of, count: of.length };
  };
  const [replayed, dropped] = [selected(canReplay), selected(canDrop)];
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pb-3">
      <Button small disabled={replayed.count === 0} onClick={() => onChange({ what: "replay", ...replayed })}>
        Replay selected ({formatNumber(replayed.count)})
      </Button>
      <Button small disabled={dropped.count === 0} onClick={() => onChange({ what: "drop", ...dropped })}>
        Delete selected ({formatNumber(dropped.count)})
      </Button>
      <Button small variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  );
}
