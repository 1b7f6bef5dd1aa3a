import { useNavigate } from "@tanstack/react-router";
import { aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { useChange } from "../../api/change.ts";
import { fieldFaults } from "../../api/faults.ts";
import { useViewer } from "../../api/session.ts";
import { FormDialog } from "../../kit/form/dialog.tsx";
import { useDraft } from "../../kit/form/draft.ts";
import { CheckField, TextField } from "../../kit/form/field.tsx";
import { choiceOf, EnvironmentField, environmentOf, InstancesField, instancesFault } from "./entry-fields.tsx";

export default function NewEntry({ onClose }: { onClose: () => void }) {
  const { environment: here } = useViewer();
  const navigate = useNavigate();
  const [draft, change, close] = useDraft(
    "new-ai-gateway",
    {
      gatewayId: "",
      max: "",
      // Outside production an entry belongs to its own environment.
      environment: choiceOf(here === "production" ? null : here),
      enabled: true,
    },
    onClose,
  );
  const create = useChange(aiGatewayRoutes.createAiGateway, {
    success: ({ gateway_id }) => `${gateway_id} added to the pool`,
    onDone: ({ id }) => {
      close();
      void navigate({ to: `/gateways/${id}` });
    },
  });
  const faults = fieldFaults(create.error);
  const max = draft.max === "" ? undefined : instancesFault(draft.max, 0);
  return (
    <FormDialog
      onClose={close}
      title="Add gateway to the pool"
      about="Tenants of this platform share it. The gateway must already exist at Cloudflare."
      action="Add gateway"
      change={create}
      ready={draft.gatewayId.trim() !== "" && draft.max !== "" && max === undefined}
      onSubmit={() =>
        create.mutate({
          body: {
            gateway_id: draft.gatewayId.trim(),
            environment: environmentOf(draft.environment),
            enabled: draft.enabled,
            max_instances: Number(draft.max),
          },
        })
      }
    >
      <TextField
        label="Cloudflare gateway ID"
        about="Lowercase letters, digits and inner hyphens, such as shared-eu-1."
        value={draft.gatewayId}
        onChange={(gatewayId) => change({ gatewayId })}
        fault={faults.gateway_id}
        spellCheck={false}
        maxLength={64}
      />
      <InstancesField
        about="How many tenants can share it."
        value={draft.max}
        onChange={(text) => change({ max: text })}
        fault={max ?? faults.max_instances}
      />
      <EnvironmentField
        value={draft.environment}
        onChange={(environment) => change({ environment })}
        fault={faults.environment}
      />
      <CheckField
        label="Open to new tenants"
        about="New tenants can use it as soon as it is added."
        checked={draft.enabled}
        onChange={(enabled) => change({ enabled })}
      />
    </FormDialog>
  );
}
