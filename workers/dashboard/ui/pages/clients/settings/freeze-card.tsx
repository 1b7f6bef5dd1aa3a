import { Snowflake, Sun } from "lucide-react";
import { useState } from "react";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { mayResume } from "../../instance/actions/action.ts";
import FreezeDialog from "../../instance/actions/dialogs/freeze-dialog.tsx";
import { useResume } from "../../instance/actions/use-resume.ts";

export function FreezeCard({ client }: { client: Client }) {
  const { id, instance } = client;
  const params = { client_id: id };
  const [asking, setAsking] = useState(false);
  const resume = useResume(client.name);
  const viewer = useViewer();
  const frozenBy = instance?.frozen_by ?? null;
  const isFrozen = instance?.status === "frozen";
  const canFreeze = instance !== null && !isFrozen && instance.status !== "stopped";
  return (
    <Card
      title={isFrozen ? "Frozen" : "Freeze instance"}
      about={
        isFrozen
          ? "The instance accepts no traffic. Its state is kept, and you can download backups."
          : "The instance accepts no traffic until you resume it. Open sessions end; the state is kept."
      }
      actions={
        client.delete_after !== null || (isFrozen && !mayResume(frozenBy, viewer)) ? undefined : isFrozen ? (
          <Button busy={resume.isPending} onClick={() => resume.mutate({ params })}>
            <Sun aria-hidden="true" /> Resume instance
          </Button>
        ) : canFreeze ? (
          <Button onClick={() => setAsking(true)}>
            <Snowflake aria-hidden="true" /> Freeze instance…
          </Button>
        ) : undefined
      }
      flush
    >
      <div className="flex flex-col gap-2 px-4 pb-4 empty:hidden">
        {instance === null ? <p className="text-quiet">The client has no instance yet.</p> : null}
        {instance?.status === "stopped" ? <p className="text-quiet">The instance is stopped.</p> : null}
        {client.delete_after !== null && isFrozen ? (
          <p className="text-quiet">
            The instance is frozen because the client will be deleted. Restore the client to resume it.
          </p>
        ) : null}
        {client.delete_after === null && frozenBy === "credit" ? (
          <p className="text-quiet">The credit is used up. The instance resumes when a purchase is booked.</p>
        ) : null}
        {client.delete_after === null && frozenBy === "platform" && !viewer.isRoot ? (
          <p className="text-quiet">A platform root froze the instance. Ask one to resume it.</p>
        ) : null}
        <Fault error={resume.error} />
      </div>
      {asking ? <FreezeDialog instance={{ client }} onClose={() => setAsking(false)} /> : null}
    </Card>
  );
}
