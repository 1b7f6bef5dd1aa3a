import type { Environment } from "#domain/environment.ts";
import { type Instance, instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { CheckField } from "#workers/dashboard/ui/kit/form/field.tsx";
import type { ActionDialogProps } from "../action.ts";
import { type GatewayDraft, GatewayField, namedGateway } from "../gateway-field.tsx";

const EMPTY: GatewayDraft & { useKeptBackups: boolean } = { choice: "auto", other: "", useKeptBackups: false };

interface ProvisionDialogProps {
  client: Instance["client"];
  environment: Environment;
  /** Cloudflare id of the gateway that a failed instance binds. */
  bound?: string | undefined;
  onClose: () => void;
}

export default function ProvisionDialog({ client, environment, bound, onClose }: ProvisionDialogProps) {
  const { isRoot } = useViewer();
  const [draft, set, close] = useDraft(`provision.${client.id}`, EMPTY, onClose);
  const change = useChange(instanceRoutes.createInstance, {
    also: ["clients", "jobs", "AI gateways"],
    success: () => ({ title: `Provisioning ${client.name}`, about: "It continues in the background." }),
    onDone: close,
  });
  const named = isRoot ? namedGateway(draft) : {};
  const backups = isRoot && draft.useKeptBackups ? { use_kept_backups: true } : {};
  return (
    <FormDialog
      wide={isRoot}
      onClose={close}
      title={bound === undefined ? "Provision instance" : "Provision instance again"}
      about={
        bound === undefined
          ? "Creates a Worker, a container, a backup bucket and an Access login, then starts the gateway. This usually takes a few minutes."
          : "Keeps the resources that exist and creates the missing ones."
      }
      action={bound === undefined ? "Provision instance" : "Provision again"}
      ready={named !== undefined}
      change={change}
      onSubmit={() =>
        named === undefined ? undefined : change.mutate({ body: { client_id: client.id, ...named, ...backups } })
      }
    >
      {isRoot ? (
        <>
          <GatewayField
            draft={draft}
            onChange={set}
            environment={environment}
            auto={
              bound === undefined
                ? "The pool gateway with the most free slots, or a dedicated one if the pool is full."
                : `The current one, ${bound}.`
            }
            fault={fieldFaults(change.error).ai_gateway_id}
          />
          <CheckField
            label="Use kept backups"
            about={`If an earlier client with the slug ${client.slug} left backups, the instance starts from the newest one. Use this only for the same customer. Without it, provisioning fails when there are such backups.`}
            checked={draft.useKeptBackups}
            onChange={(useKeptBackups) => set({ useKeptBackups })}
          />
        </>
      ) : null}
    </FormDialog>
  );
}

export const ProvisionAgainDialog = ({ instance: { client, ai_gateway, environment }, onClose }: ActionDialogProps) => (
  <ProvisionDialog client={client} environment={environment} bound={ai_gateway?.id} onClose={onClose} />
);
