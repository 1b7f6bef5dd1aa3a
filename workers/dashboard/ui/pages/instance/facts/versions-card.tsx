import { type Instance, instanceRoutes, type Runs } from "#workers/contracts/api/tenants/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Badge } from "#workers/dashboard/ui/kit/badge.tsx";
import { Card, Facts } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";

const HASH = 12;

/** What it is wanted to run, against what it says that it runs. */
export function VersionsCard({ instance }: { instance: Instance }) {
  const { isRoot } = useViewer();
  const { runs, managed_by } = instance;
  const { image, worker, reported } = runs;
  return (
    <Card title="Version" actions={<AsWanted runs={runs} />}>
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            ["Image", image === null ? "the platform's" : `${image.gateway} ${image.gateway_version}`],
            ["Worker", worker === null ? "the platform's" : `${worker.release}, ${short(worker.content_hash)}`],
            ["It reports", <Reported key="reported" reported={reported} />],
          ]}
        />
        {isRoot && managed_by === "dashboard" ? <Pin instance={instance} /> : null}
      </div>
    </Card>
  );
}

function Reported({ reported }: Pick<Runs, "reported">) {
  if (reported === null) return <span className="text-quiet">nothing yet</span>;
  const { gateway, gateway_version, worker, at } = reported;
  const parts = [gateway === null ? "" : `${gateway} ${gateway_version}`, worker === null ? "" : short(worker)];
  return (
    <>
      {parts.filter((part) => part !== "").join(", ")}{" "}
      <span className="text-quiet">
        since <Ago at={at} />
      </span>
    </>
  );
}

const short = (hash: string) => hash.slice(0, HASH);

function AsWanted({ runs: { as_wanted } }: { runs: Runs }) {
  if (as_wanted === null) return <Badge>not known</Badge>;
  return as_wanted ? <Badge tone="good">as wanted</Badge> : <Badge tone="bad">not as wanted</Badge>;
}

/** Shown as it will be, and put back when it is refused. */
function Pin({ instance: { id, runs, version } }: { instance: Instance }) {
  const change = useChange(instanceRoutes.pinInstance, {
    onDone: ({ runs: { pinned } }) =>
      toast({ title: pinned ? "Roll-outs pass it by from now on" : "Roll-outs reach it again" }),
  });
  const pinned = change.isPending ? change.variables.body.pinned : runs.pinned;
  return (
    <div className="flex flex-col gap-2">
      <label className="flex items-start gap-2.5">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={pinned}
          // Disabled, it would lose the keyboard to the page.
          aria-disabled={change.isPending}
          onChange={({ currentTarget: { checked } }) => {
            if (!change.isPending) change.mutate({ params: { instance_id: id }, body: { pinned: checked }, version });
          }}
        />
        <span className="min-w-0">
          Pinned to what it runs
          <span className="block text-xs text-quiet">Roll-outs pass it by; you change its version yourself.</span>
        </span>
      </label>
      <Fault error={change.error} />
    </div>
  );
}
