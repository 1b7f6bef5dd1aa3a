import type { Environment } from "#domain/environment.ts";
import { type Instance, instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { CheckField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { type GatewayDraft, GatewayField, namedGateway } from "../gateway-field.tsx";

const EMPTY: GatewayDraft & { useKeptBackups: boolean } = { choice: "auto", other: "", useKeptBackups: false };

export interface ProvisionDialogProps {
  client: Instance["client"];
  environment: Environment;
  /** AI gateway that an instance in error binds, by its id at Cloudflare. */
  bound?: string | undefined;
  onClose: () => void;
}

export default function ProvisionDialog({ client, environment, bound, onClose }: ProvisionDialogProps) {
  const { isRoot } = useViewer();
  const [draft, set, forget] = useDraft(`provision.${client.id}`, EMPTY);
  const close = () => {
    forget();
    onClose();
  };
  const change = useChange(instanceRoutes.createInstance, {
    also: ["clients", "jobs", "AI gateways"],
    onDone: () => {
      toast({ title: `${client.name} is being provisioned`, about: "You need not wait here: it goes on by itself." });
      close();
    },
  });
  const named = isRoot ? namedGateway(draft) : {};
  const kept = isRoot && draft.useKeptBackups ? { use_kept_backups: true } : {};
  return (
    <FormDialog
      open
      wide={isRoot}
      onClose={close}
      title={bound === undefined ? "Provision an instance" : "Provision it again"}
      about={
        bound === undefined
          ? "A Worker, a container, a bucket for backups and a log-in of its own are made, and its gateway is started: mostly within some minutes."
          : "What is made of it already is kept, and what is missing is made."
      }
      action={bound === undefined ? "Provision" : "Provision again"}
      ready={named !== undefined}
      busy={change.isPending}
      error={change.error}
      onSubmit={() =>
        named === undefined ? undefined : change.mutate({ body: { client_id: client.id, ...named, ...kept } })
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
                ? "The emptiest of the pool, or one of its own where the pool is full."
                : `The one that it binds, ${bound}.`
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
