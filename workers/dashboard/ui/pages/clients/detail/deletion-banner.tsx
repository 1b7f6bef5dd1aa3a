import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago, Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { useRestore } from "./use-restore.ts";

export function DeletionBanner({ client }: { client: Client }) {
  const { canRestore, restore, busy, error } = useRestore(client);
  const { delete_after } = client;
  if (delete_after === null) return null;
  return (
    <Notice
      tone="bad"
      title="Deletion scheduled"
      actions={
        canRestore ? (
          <Button busy={busy} onClick={restore}>
            Restore client
          </Button>
        ) : undefined
      }
    >
      <p>
        The client will be deleted <Ago at={delete_after} long />, on <Moment at={delete_after} />, with its instance
        and users. Until then the instance is frozen, and {canRestore ? "you" : "a platform root"} can restore the
        client.
      </p>
      <Fault error={error} />
    </Notice>
  );
}
