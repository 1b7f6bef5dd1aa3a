import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago, Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { useRestore } from "./use-restore.ts";

/** Shows until when a deleted client can be restored. */
export function DeletionBanner({ client }: { client: Client }) {
  const { canRestore, restore, busy, error } = useRestore(client);
  const { delete_after } = client;
  if (delete_after === null) return null;
  return (
    <Notice
      tone="bad"
      title="Being deleted"
      actions={
        canRestore ? (
          <Button busy={busy} onClick={restore}>
            Restore
          </Button>
        ) : undefined
      }
    >
      <p>
        It is deleted <Ago at={delete_after} long />, on <Moment at={delete_after} />, with its instance and users.
        Until then its instance is frozen, and {canRestore ? "you" : "a platform root"} can restore it.
      </p>
      <Fault error={error} />
    </Notice>
  );
}
