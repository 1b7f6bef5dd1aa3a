import { type AiGateway, aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { useChange } from "../../api/change.ts";
import { useSeenVersion } from "../../api/seen-version.ts";
import { ConfirmDialog } from "../../kit/form/dialog.tsx";
import { toast } from "../../kit/toast/toast.ts";

export interface DeleteEntryProps {
  entry: AiGateway;
  onClose: () => void;
  /** Leaves the page that shows the entry. */
  onDeleted?: () => void;
}

/** Takes an entry that nothing binds out of the pool, and back in when asked for at once. */
export default function DeleteEntry({ entry, onClose, onDeleted }: DeleteEntryProps) {
  const { id, gateway_id, environment, enabled, max_instances } = entry;
  const [version, readAnew] = useSeenVersion(entry.version, aiGatewayRoutes.deleteAiGateway.tag);
  const takeBack = useChange(aiGatewayRoutes.createAiGateway, {
    onDone: () => toast({ title: `${gateway_id} is in the pool again` }),
    onFailed: ({ message }) =>
      toast({ kind: "failed", title: `${gateway_id} is not in the pool again`, about: message }),
  });
  const remove = useChange(aiGatewayRoutes.deleteAiGateway, {
    leaves: onDeleted !== undefined,
    onDone: () => {
      onClose();
      onDeleted?.();
      const run = () => takeBack.mutate({ body: { gateway_id, environment, enabled, max_instances } });
      toast({ title: `${gateway_id} is out of the pool`, action: { name: "Undo", run } });
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Take ${gateway_id} out of the pool?`}
      about="No tenant binds it, and none will. The gateway itself stays at Cloudflare, with its log and its settings."
      action="Take out"
      danger
      busy={remove.isPending}
      error={remove.error}
      onReadAnew={() => void readAnew().then(remove.reset)}
      onSubmit={() => remove.mutate({ params: { id }, version })}
    />
  );
}
