import { type AiGateway, aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { useChange } from "../../api/change.ts";
import { fieldFaults } from "../../api/faults.ts";
import { FormDialog } from "../../kit/form/dialog.tsx";
import { useRowDraft } from "../../kit/form/row-draft.ts";
import { formatNumber } from "../../kit/format.ts";
import { toast } from "../../kit/toast/toast.ts";
import {
  choiceOf,
  type EnvironmentChoice,
  EnvironmentField,
  environmentOf,
  InstancesField,
  instancesFault,
} from "./entry-fields.tsx";

interface Values {
  /** As it is typed. */
  most: string;
  environment: EnvironmentChoice;
}

/** How many may bind an entry, and of which environment. */
export default function EditEntry({ entry, onClose }: { entry: AiGateway; onClose: () => void }) {
  const { tag } = aiGatewayRoutes.updateAiGateway;
  const draft = useRowDraft<Values>(`ai-gateway-${entry.id}`, entry.version, tag);
  const close = () => {
    draft.forget();
    onClose();
  };
  const save = useChange(aiGatewayRoutes.updateAiGateway, {
    onDone: ({ gateway_id, max_instances }) => {
      close();
      toast({ title: `${gateway_id} takes up to ${formatNumber(max_instances)} instances` });
    },
  });
  const faults = fieldFaults(save.error);
  const { most = String(entry.max_instances), environment = choiceOf(entry.environment) } = draft.typed;
  const fault = instancesFault(most, entry.bound);
  const body = { max_instances: Number(most), environment: environmentOf(environment) };
  return (
    <FormDialog
      open
      onClose={close}
      title={`Capacity of ${entry.gateway_id}`}
      about={`${formatNumber(entry.bound)} of ${formatNumber(entry.max_instances)} places are taken now.`}
      action="Save"
      busy={save.isPending}
      error={save.error}
      onReadAnew={() => void draft.readAnew().then(save.reset)}
      ready={fault === undefined}
      onSubmit={() => save.mutate({ params: { id: entry.id }, body, version: draft.version })}
    >
      <InstancesField
        value={most}
        onChange={(text) => draft.change({ most: text })}
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
