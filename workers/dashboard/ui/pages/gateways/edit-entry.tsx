import { type AiGateway, aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { useChange } from "../../api/change.ts";
import { fieldFaults } from "../../api/faults.ts";
import { FormDialog } from "../../kit/form/dialog.tsx";
import { useRowDraft } from "../../kit/form/row-draft.ts";
import { formatNumber } from "../../kit/format.ts";
import {
  choiceOf,
  type EnvironmentChoice,
  EnvironmentField,
  environmentOf,
  InstancesField,
  instancesFault,
} from "./entry-fields.tsx";

interface Values {
  max: string;
  environment: EnvironmentChoice;
}

export default function EditEntry({ entry, onClose }: { entry: AiGateway; onClose: () => void }) {
  const { tag } = aiGatewayRoutes.updateAiGateway;
  const draft = useRowDraft<Values>(`ai-gateway-${entry.id}`, entry.version, tag, onClose);
  const save = useChange(aiGatewayRoutes.updateAiGateway, {
    success: ({ gateway_id, max_instances }) => `Capacity of ${gateway_id} set to ${formatNumber(max_instances)}`,
    onDone: draft.discard,
  });
  const faults = fieldFaults(save.error);
  const { max = String(entry.max_instances), environment = choiceOf(entry.environment) } = draft.edits;
  const fault = instancesFault(max, entry.bound);
  const body = { max_instances: Number(max), environment: environmentOf(environment) };
  return (
    <FormDialog
      onClose={draft.discard}
      title={`Edit capacity of ${entry.gateway_id}`}
      about={`${formatNumber(entry.bound)} of ${formatNumber(entry.max_instances)} slots are in use.`}
      action="Save capacity"
      change={save}
      onReload={draft.reload}
      ready={fault === undefined}
      onSubmit={() => save.mutate({ params: { id: entry.id }, body, version: draft.version })}
    >
      <InstancesField
        value={max}
        onChange={(text) => draft.change({ max: text })}
        fault={fault ?? faults.max_instances}
      />
      <EnvironmentField
        value={environment}
        onChange={(next) => draft.change({ environment: next })}
        fault={faults.environment}
      />
    </FormDialog>
  );
}
