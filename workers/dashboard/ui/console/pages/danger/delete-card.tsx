import { Trash2, Undo2 } from "lucide-react";
import { useState } from "react";
import { type Client, clientRoutes, DELETION_GRACE_DAYS } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { Moment, useNow } from "#workers/dashboard/ui/kit/time.tsx";
import { EndsWithInstance } from "#workers/dashboard/ui/pages/clients/channels/ends-with-instance.tsx";
import { EraseAction } from "#workers/dashboard/ui/pages/clients/settings/erase-action.tsx";

const ALSO = ["instances", "jobs"];
const SECOND_MS = 1_000;

export function DeleteCard({ client }: { client: Client }) {
  if (client.delete_after !== null) return <Countdown client={client} deleteAfter={client.delete_after} />;
  if (client.managed_by === "git") {
    return (
      <Card title="Delete">
        <p className="text-quiet">Only your operator can delete this agent.</p>
      </Card>
    );
  }
  return <NotDeleted client={client} />;
}

function NotDeleted({ client }: { client: Client }) {
  const { id, name, slug, instance } = client;
  const [asking, setAsking] = useState(false);
  const params = { client_id: id };
  const undo = useUndo(client);
  const remove = useChange(clientRoutes.deleteClient, {
    also: ALSO,
    success: () => ({
      title: `Deletion of ${name} scheduled`,
      about: `It takes effect in ${DELETION_GRACE_DAYS} days.`,
      action: { name: "Undo", run: () => undo.mutate({ params }) },
    }),
    onDone: () => setAsking(false),
  });
  const about = `The agent stops immediately. For ${DELETION_GRACE_DAYS} days any administrator can undo this here. Then the agent, its data and all users are deleted. Invoices and the list of changes are kept.`;
  return (
    <Card
      title="Delete"
      about={about}
      actions={
        <Button variant="danger" onClick={() => setAsking(true)}>
          <Trash2 aria-hidden="true" /> Delete…
        </Button>
      }
      flush
    >
      {asking ? (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          title={`Delete ${name}?`}
          about={`${about} The other administrators get a mail.`}
          action="Delete"
          danger
          typed={slug}
          change={remove}
          onSubmit={() => remove.mutate({ params })}
        >
          {instance === null ? null : <EndsWithInstance instanceId={instance.id} />}
        </ConfirmDialog>
      ) : null}
    </Card>
  );
}

/** Such as `6 days 3 h`, `3 h 20 min` or `5 min 10 s`. */
function timeLeft(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / SECOND_MS);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return `${days} ${days === 1 ? "day" : "days"} ${hours % 24} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min ${seconds % 60} s`;
}

const useUndo = ({ name }: Client) =>
  useChange(clientRoutes.restoreClient, { also: ALSO, success: `${name} is not deleted` });

/** What an ADMIN can do about a deletion of others. */
const OTHERS: Readonly<Record<"platform" | "partner" | "credit", string>> = {
  platform: "The platform requested it. Ask your operator to undo it.",
  partner: "Your partner requested it. Ask your partner to undo it.",
  credit: "The credit is used up. Ask your operator to book a purchase and to undo it.",
};

function Countdown({ client, deleteAfter }: { client: Client; deleteAfter: string }) {
  const { id, deletion_by: by } = client;
  const left = Date.parse(deleteAfter) - useNow(SECOND_MS);
  const undo = useUndo(client);
  const isOwn = by === "client" && left > 0;
  return (
    <Card
      title={left > 0 ? "Deletion scheduled" : "Being deleted"}
      about={
        left > 0 ? (
          <>
            All is deleted in <strong>{timeLeft(left)}</strong>, on <Moment at={deleteAfter} />. Until then the agent
            answers nobody.
          </>
        ) : (
          "The grace period is over. The agent, its data and all users are being deleted. Ask your operator if you have questions."
        )
      }
      actions={
        isOwn ? (
          <>
            <Button busy={undo.isPending} onClick={() => undo.mutate({ params: { client_id: id } })}>
              <Undo2 aria-hidden="true" /> Undo deletion
            </Button>
            <EraseAction client={client} />
          </>
        ) : undefined
      }
      flush
    >
      <div className="px-4 pb-4 empty:hidden">
        {by === null || by === "client" ? null : <p className="text-quiet">{OTHERS[by]}</p>}
        <Fault error={undo.error} />
      </div>
    </Card>
  );
}
