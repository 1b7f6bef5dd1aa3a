import { type AiGateway, aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { useChange } from "../../api/change.ts";
import { useSeenVersion } from "../../api/seen-version.ts";
import { ConfirmDialog } from "../../kit/form/dialog.tsx";

interface DeleteEntryProps {
  entry: AiGateway;
  onClose: () => void;
  onDeleted?: () => void;
}

export default function DeleteEntry({ entry, onClose, onDeleted }: DeleteEntryProps) {
  const { id, gateway_id, environment, enabled, max_instances } = entry;
  const [version, reload] = useSeenVersion(entry.version, aiGatewayRoutes.deleteAiGateway.tag);
  const restore = useChange(aiGatewayRoutes.createAiGateway, {
    success: `${gateway_id} added to the pool again`,
    failure: `Failed to add ${gateway_id} to the pool again`,
  });
  const remove = useChange(aiGatewayRoutes.deleteAiGateway, {
    leaves: onDeleted !== undefined,
    success: () => ({
      title: `${gateway_id} removed from the pool`,
      action: {
        name: "Undo",
        run: () => restore.mutate({ body: { gateway_id, environment, enabled, max_instances } }),
      },
    }),
    onDone: () => {
      onClose();
      onDeleted?.();
    },
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${gateway_id} from the pool?`}
      about="No tenant uses it, and no new one will. The gateway stays at Cloudflare with its logs and settings. You can add it again."
      action="Remove gateway"
      danger
      change={remove}
      onReload={reload}
      onSubmit={() => remove.mutate({ params: { id }, version })}
    />
  );
}
