import { type Instance, instanceRoutes, type Runs } from "#workers/contracts/api/instances/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Badge } from "#workers/dashboard/ui/kit/badge.tsx";
import { Card, Facts } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";

const HASH_LENGTH = 12;

export function VersionsCard({ instance }: { instance: Instance }) {
  const { isRoot } = useViewer();
  const { runs, managed_by } = instance;
  const { image, worker, reported } = runs;
  const byGit = managed_by === "git";
  return (
    <Card title="Version" actions={<VersionBadge runs={runs} />}>
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            [
              "Image",
              image === null
                ? byGit
                  ? "From the stack's settings"
                  : "Platform default"
                : `${image.gateway} ${image.gateway_version}`,
            ],
            [
              "Worker",
              worker === null
                ? byGit
                  ? "Built by the stack"
                  : "Platform default"
                : `${worker.release}, ${shortHash(worker.content_hash)}`,
            ],
            ["Reported", <Reported key="reported" reported={reported} />],
          ]}
        />
        {isRoot && managed_by === "dashboard" ? <Pin instance={instance} /> : null}
      </div>
    </Card>
  );
}

function Reported({ reported }: Pick<Runs, "reported">) {
  if (reported === null) return <span className="text-quiet">Not yet. Reported within an hour after a start.</span>;
  const { gateway, gateway_version, worker, at } = reported;
  const parts = [gateway === null ? "" : `${gateway} ${gateway_version}`, worker === null ? "" : shortHash(worker)];
  return (
    <>
      {parts.filter((part) => part !== "").join(", ")}{" "}
      <span className="text-quiet">
        since <Ago at={at} />
      </span>
    </>
  );
}

const shortHash = (hash: string) => hash.slice(0, HASH_LENGTH);

function VersionBadge({ runs: { as_wanted, reported } }: { runs: Runs }) {
  if (as_wanted === null) return <Badge>{reported === null ? "Not reported" : "Reported"}</Badge>;
  return as_wanted ? <Badge tone="good">As configured</Badge> : <Badge tone="bad">Not as configured</Badge>;
}

function Pin({ instance: { id, runs, version } }: { instance: Instance }) {
  const change = useChange(instanceRoutes.pinInstance, {
    success: ({ runs: { pinned } }) => (pinned ? "Rollouts skip this instance" : "Rollouts include this instance"),
  });
  const pinned = change.isPending ? change.variables.body.pinned : runs.pinned;
  return (
    <div className="flex flex-col gap-2">
      <label className="flex items-start gap-2.5">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={pinned}
          // `disabled` would lose the focus.
          aria-disabled={change.isPending}
          onChange={({ currentTarget: { checked } }) => {
            if (!change.isPending) change.mutate({ params: { instance_id: id }, body: { pinned: checked }, version });
          }}
        />
        <span className="min-w-0">
          Pinned to the current version
          <span className="block text-xs text-quiet">Rollouts skip the instance. You change its version yourself.</span>
        </span>
      </label>
      <Fault error={change.error} />
    </div>
  );
}
