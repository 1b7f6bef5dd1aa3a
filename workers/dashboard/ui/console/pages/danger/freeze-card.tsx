import { Snowflake, Sun } from "lucide-react";
import { useState } from "react";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import FreezeDialog from "#workers/dashboard/ui/pages/instance/actions/dialogs/freeze-dialog.tsx";
import { useResume } from "#workers/dashboard/ui/pages/instance/actions/use-resume.ts";

type FrozenBy = NonNullable<NonNullable<Client["instance"]>["frozen_by"]>;

/** Who froze the agent, and what an ADMIN can do. */
const REASONS: Readonly<Record<FrozenBy, string>> = {
  client: "An administrator froze the agent. It answers nobody; its data is kept.",
  platform: "The platform froze the agent. Ask your operator to resume it.",
  partner: "Your partner froze the agent. Ask your partner to resume it.",
  credit: "The credit is used up. The agent resumes when your operator books a purchase.",
  deletion: "The agent is frozen because its deletion was requested.",
};

export function FreezeCard({ client }: { client: Client }) {
  const { id, name, instance } = client;
  const [asking, setAsking] = useState(false);
  const resume = useResume(name);
  const by = instance?.frozen_by ?? null;
  const canFreeze = instance !== null && ["provisioning", "running", "error"].includes(instance.status);
  return (
    <Card
      title={by === null ? "Freeze" : "Frozen"}
      about={
        by === null
          ? "The agent stops, and answers nobody until an administrator resumes it. Its data is kept."
          : REASONS[by]
      }
      actions={
        by === "client" ? (
          <Button busy={resume.isPending} onClick={() => resume.mutate({ params: { client_id: id } })}>
            <Sun aria-hidden="true" /> Resume
          </Button>
        ) : by === null && canFreeze ? (
          <Button onClick={() => setAsking(true)}>
            <Snowflake aria-hidden="true" /> Freeze…
          </Button>
        ) : undefined
      }
      flush
    >
      <div className="px-4 pb-4 empty:hidden">
        {instance?.status === "stopped" ? <p className="text-quiet">The agent is stopped.</p> : null}
        <Fault error={resume.error} />
      </div>
      {asking ? <FreezeDialog instance={{ client }} onClose={() => setAsking(false)} /> : null}
    </Card>
  );
}
