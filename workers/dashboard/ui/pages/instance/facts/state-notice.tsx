import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import type { Instance } from "#workers/contracts/api/tenants/instances.ts";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";

const TITLES = {
  provisioning: "Instance is being provisioned",
  running: "Instance is running",
  frozen: "Instance is frozen",
  stopped: "Instance is stopped",
  error: "Instance has an error",
} as const satisfies Record<Instance["status"], string>;

export function StateNotice({ instance, client }: { instance: Instance; client: Client }) {
  const { status, state_cause, state_deadline } = instance;
  if (state_cause === null && client.delete_after === null) return null;
  return (
    <Notice tone={status === "error" ? "bad" : "info"} title={TITLES[status]}>
      {state_cause === null ? null : <p>{state_cause}</p>}
      {state_deadline === null ? null : (
        <p>
          Deadline: <Moment at={state_deadline} />. After it, the instance goes to the error state.
        </p>
      )}
      {client.delete_after === null ? null : (
        <p>
          The client will be deleted on <Moment at={client.delete_after} />. Restore it to use the instance again.
        </p>
      )}
    </Notice>
  );
}
