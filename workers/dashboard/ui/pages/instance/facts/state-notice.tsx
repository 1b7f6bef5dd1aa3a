import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import type { Instance } from "#workers/contracts/api/tenants/instances.ts";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";

const TITLES = {
  provisioning: "It is being provisioned",
  running: "It runs",
  frozen: "It is frozen",
  stopped: "It is stopped",
  error: "It is in error",
} as const satisfies Record<Instance["status"], string>;

/** Why it is as it is, where somebody said so, and until when that may last. */
export function StateNotice({ instance, client }: { instance: Instance; client: Client }) {
  const { status, state_cause, state_deadline } = instance;
  if (state_cause === null && client.delete_after === null) return null;
  return (
    <Notice tone={status === "error" ? "bad" : "info"} title={TITLES[status]}>
      {state_cause === null ? null : <p>{state_cause}</p>}
      {state_deadline === null ? null : (
        <p>
          It may last until <Moment at={state_deadline} />; then it is in error.
        </p>
      )}
      {client.delete_after === null ? null : (
        <p>
          The client is being deleted, on <Moment at={client.delete_after} />. Restore it to use it again.
        </p>
      )}
    </Notice>
  );
}
