import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import type { ActionDialogProps } from "../action.ts";
import { type GatewayDraft, GatewayField, namedGateway } from "../gateway-field.tsx";

const EMPTY: GatewayDraft = { choice: "", other: "" };

export default function GatewayDialog({ instance, onClose }: ActionDialogProps) {
  const { id, environment, ai_gateway } = instance;
  const [draft, set, close] = useDraft(`gateway.${id}`, EMPTY, onClose);
  const change = useChange(instanceRoutes.assignGateway, {
    also: ["jobs", "clients", "AI gateways"],
    success: () => ({ title: "Reassigning the AI gateway", about: "The job below shows when it is complete." }),
    onDone: close,
  });
  const named = namedGateway(draft);
  return (
    <FormDialog
      wide
      onClose={close}
      title="Reassign AI gateway"
      about="The Worker is redeployed with the new gateway. The current one is released when the new one works; until then both count. To undo this, reassign the previous gateway."
      action="Reassign gateway"
      ready={named !== undefined}
      change={change}
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
