import type { Client } from "../../../../../contracts/api/clients.ts";
import { Button } from "../../../kit/button.tsx";
import { Notice } from "../../../kit/notice.tsx";
import { Fault } from "../../../kit/states.tsx";
import { Ago, Moment } from "../../../kit/time.tsx";
import { useHavingBack } from "./use-having-back.ts";

/** Says of a client that is being deleted until when it can be had back. */
export function DeletionBanner({ client }: { client: Client }) {
  const { canHaveBack, haveBack, busy, error } = useHavingBack(client);
  const { delete_after } = client;
  if (delete_after === null) return null;
  return (
    <Notice
      tone="bad"
      title="Being deleted"
      actions={
        canHaveBack ? (
          <Button busy={busy} onClick={haveBack}>
            Have it back
          </Button>
        ) : undefined
      }
    >
      <p>
        It goes <Ago at={delete_after} long />, on <Moment at={delete_after} />, with all that it has. Until then its
        instance is frozen, and {canHaveBack ? "you can have it back" : "a platform root can have it back"}.
      </p>
      <Fault error={error} />
    </Notice>
  );
}
