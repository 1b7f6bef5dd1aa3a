import { type AiGateway, aiGatewayRoutes } from "../../../../contracts/api/ai-gateways.ts";
import { useChange } from "../../api/change.ts";
import { fieldFaults } from "../../api/faults.ts";
import { useSeenVersion } from "../../api/seen-version.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { useDraft } from "../../kit/draft.ts";
import { formatNumber } from "../../kit/format.ts";
import { toast } from "../../kit/toast.ts";
import { choiceOf, EnvironmentField, environmentOf, InstancesField, instancesFault } from "./entry-fields.tsx";

/** How many may bind an entry, and of which environment. */
export default function EditEntry({ entry, onClose }: { entry: AiGateway; onClose: () => void }) {
  const [draft, change, forget] = useDraft(`ai-gateway-${entry.id}`, {
    most: String(entry.max_instances),
    environment: choiceOf(entry.environment),
  });
  const [version, readAnew] = useSeenVersion(entry.version, aiGatewayRoutes.updateAiGateway.tag);
  const save = useChange(aiGatewayRoutes.updateAiGateway, {
    onDone: ({ gateway_id, max_instances }) => {
      forget();
      onClose();
      toast({ title: `${gateway_id} takes up to ${formatNumber(max_instances)} instances` });
    },
  });
  const faults = fieldFaults(save.error);
  const fault = instancesFault(draft.most, entry.bound);
  const body = { max_instances: Number(draft.most), environment: environmentOf(draft.environment) };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Capacity of ${entry.gateway_id}`}
      about={`${formatNumber(entry.bound)} of ${formatNumber(entry.max_instances)} places are taken now.`}
      action="Save"
      busy={save.isPending}
      error={save.error}
      onReadAnew={() => void readAnew().then(save.reset)}
      ready={fault === undefined}
      onSubmit={() => save.mutate({ params: { id: entry.id }, body, version })}
    >
      <InstancesField value={draft.most} onChange={(most) => change({ most })} fault={fault ?? faults.max_instances} />
      <EnvironmentField
        value={draft.environment}
        onChange={(environment) => change({ environment })}
        fault={faults.environment}
      />
    </FormDialog>
  );
}
