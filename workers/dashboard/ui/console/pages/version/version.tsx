import { useQuery } from "@tanstack/react-query";
import type { InstanceVersions } from "#workers/contracts/api/instances/instance-versions.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useTenant } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Fault, Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { TenantPage, type TenantProps } from "../../tenant-page.tsx";
import { CurrentVersion } from "./current-version.tsx";
import { OfferedVersions } from "./offered-versions.tsx";

export default function Version() {
  return (
    <TenantPage title="Version" about="The version of your agent, and when it changes.">
      {(tenant) => <Versions {...tenant} />}
    </TenantPage>
  );
}

function Versions(tenant: TenantProps) {
  const query = useQuery(apiQuery(instanceRoutes.listVersions, { params: { instance_id: tenant.instance.id } }));
  const reload = () => query.refetch();
  if (query.data === undefined) {
    return (
      <Card>
        <Loaded query={query}>{() => null}</Loaded>
      </Card>
    );
  }
  return (
    <>
      <PlannedChange versions={query.data} />
      <CurrentVersion {...tenant} versions={query.data} />
      <OfferedVersions {...tenant} versions={query.data} onReload={reload} />
    </>
  );
}

/** A change that waits for the maintenance window. */
function PlannedChange({ versions: { change, offered } }: { versions: InstanceVersions }) {
  const { read_only } = useTenant();
  const cancel = useChange(jobRoutes.cancelJob, { also: ["instances"], success: "Planned change cancelled" });
  if (change?.not_before == null || change.status !== "queued") return null;
  const to = offered.find(({ id }) => id === change.image_id);
  return (
    <Notice
      tone="info"
      title={`Change to ${to === undefined ? "another version" : `version ${to.gateway_version}`} is planned`}
      actions={
        read_only ? undefined : (
          <Button small busy={cancel.isPending} onClick={() => cancel.mutate({ params: { id: change.id } })}>
            Cancel change
          </Button>
        )
      }
    >
      <p>
        It starts <Moment at={change.not_before} />, requested by {change.requested_by}. Its data is backed up first,
        and the agent restarts.
      </p>
      <Fault error={cancel.error} />
    </Notice>
  );
}
