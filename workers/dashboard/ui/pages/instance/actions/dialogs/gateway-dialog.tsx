import { instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import type { ActionDialogProps } from "../action.ts";
import { type GatewayDraft, GatewayField, namedGateway } from "../gateway-field.tsx";

const EMPTY: GatewayDraft = { choice: "", other: "" };

export default function GatewayDialog({ instance, onClose }: ActionDialogProps) {
  const { id, environment, ai_gateway } = instance;
  const [draft, set, forget] = useDraft(`gateway.${id}`, EMPTY);
  const close = () => {
    forget();
    onClose();
  };
  const change = useChange(instanceRoutes.assignGateway, {
    also: ["jobs", "clients", "AI gateways"],
    onDone: () => {
      toast({ title: "It moves to the other AI gateway", about: "The operation below tells when it has." });
      close();
    },
  });
  const named = namedGateway(draft);
  return (
    <FormDialog
      open
      wide
      onClose={close}
      title="Reassign the AI gateway"
      about="The Worker is deployed anew with the other gateway. The present one is freed once the new one works; until then both count."
      action="Move it"
      ready={named !== undefined}
      busy={change.isPending}
      error={change.error}
      onSubmit={() => (named === undefined ? undefined : change.mutate({ params: { id }, body: named }))}
    >
      <GatewayField
        draft={draft}
        onChange={set}
        environment={environment}
        bound={ai_gateway?.id}
        fault={fieldFaults(change.error).ai_gateway_id}
      />
    </FormDialog>
  );
}
