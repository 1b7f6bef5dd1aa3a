import { useNavigate } from "@tanstack/react-router";
import { aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { useChange } from "../../api/change.ts";
import { fieldFaults } from "../../api/faults.ts";
import { useViewer } from "../../api/session.ts";
import { FormDialog } from "../../kit/form/dialog.tsx";
import { useDraft } from "../../kit/form/draft.ts";
import { CheckField, TextField } from "../../kit/form/field.tsx";
import { toast } from "../../kit/toast/toast.ts";
import { choiceOf, EnvironmentField, environmentOf, InstancesField, instancesFault } from "./entry-fields.tsx";

/** Takes a gateway into the pool. */
export default function NewEntry({ onClose }: { onClose: () => void }) {
  const { environment: here } = useViewer();
  const navigate = useNavigate();
  const [draft, change, forget] = useDraft("new-ai-gateway", {
    gatewayId: "",
    most: "",
    // Outside production an entry is its own environment's.
    environment: choiceOf(here === "production" ? null : here),
    enabled: true,
  });
  const close = () => {
    forget();
    onClose();
  };
  const create = useChange(aiGatewayRoutes.createAiGateway, {
    onDone: ({ id, gateway_id }) => {
      close();
      toast({ title: `${gateway_id} is in the pool` });
      void navigate({ to: `/gateways/${id}` });
    },
  });
  const faults = fieldFaults(create.error);
  const most = draft.most === "" ? undefined : instancesFault(draft.most, 0);
  return (
    <FormDialog
      open
      onClose={close}
      title="Add a gateway to the pool"
      about="The gateway has to be there at Cloudflare already; tenants of this platform then share it."
      action="Add"
      busy={create.isPending}
      error={create.error}
      ready={draft.gatewayId.trim() !== "" && draft.most !== "" && most === undefined}
      onSubmit={() =>
        create.mutate({
          body: {
            gateway_id: draft.gatewayId.trim(),
            environment: environmentOf(draft.environment),
            enabled: draft.enabled,
            max_instances: Number(draft.most),
          },
        })
      }
    >
      <TextField
        label="Gateway's id at Cloudflare"
        about="Small letters, digits and inner hyphens, such as shared-eu-1."
        value={draft.gatewayId}
        onChange={(gatewayId) => change({ gatewayId })}
        fault={faults.gateway_id}
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
      />
      <InstancesField
        about="How many tenants may share it."
        value={draft.most}
        onChange={(text) => change({ most: text })}
        fault={most ?? faults.max_instances}
      />
      <EnvironmentField
        value={draft.environment}
        onChange={(environment) => change({ environment })}
        fault={faults.environment}
      />
      <CheckField
        label="Enabled"
        about="New tenants bind it as soon as it is here."
        checked={draft.enabled}
        onChange={(enabled) => change({ enabled })}
      />
    </FormDialog>
  );
}
