import { useQuery } from "@tanstack/react-query";
import { Stethoscope } from "lucide-react";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { type DoctorFinding, type DoctorReport, doctorRoutes } from "#workers/contracts/api/tenants/doctor.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useIsReadOnly } from "#workers/dashboard/ui/api/session.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Empty, Loading, QueryFault } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { backupsOf } from "#workers/dashboard/ui/pages/instance/backups/backups.ts";
import { momentOf } from "#workers/dashboard/ui/pages/instance/backups/days.ts";
import { TenantPage } from "../../tenant-page.tsx";
import { RepairAction } from "./repair-action.tsx";

const RUNNING_POLL_MS = 2_000;

export default function Doctor() {
  return (
    <TenantPage
      title="Doctor"
      about="Finds what is wrong with the agent, explains it and offers a repair."
      actions={({ instance }) => (instance.status === "running" ? <RunButton instance={instance} /> : null)}
    >
      {({ instance }) => <Report instance={instance} />}
    </TenantPage>
  );
}

const reportQuery = ({ id }: Instance) => ({
  ...apiQuery(doctorRoutes.getDoctor, { params: { instance_id: id } }),
  refetchInterval: ({ state }: { state: { data?: DoctorReport | undefined } }) =>
    state.data?.run?.state === "running" ? RUNNING_POLL_MS : (false as const),
});

function RunButton({ instance }: { instance: Instance }) {
  const { data } = useQuery(reportQuery(instance));
  const run = useChange(doctorRoutes.runDoctor, {
    success: "The doctor checks the agent",
    failure: "Failed to run the doctor",
  });
  const busy = run.isPending || data?.run?.state === "running";
  return (
    <Button variant="primary" busy={busy} onClick={() => run.mutate({ params: { instance_id: instance.id } })}>
      {busy ? null : <Stethoscope aria-hidden="true" />} Run doctor
    </Button>
  );
}

function Report({ instance }: { instance: Instance }) {
  const query = useQuery(reportQuery(instance));
  const { data } = query;
  if (data === undefined) {
    return <Card>{query.error === null ? <Loading lines={4} /> : <QueryFault query={query} />}</Card>;
  }
  return (
    <>
      <RunNotice run={data.run} instance={instance} />
      <Card title="Findings">
        {data.findings.length === 0 ? (
          <Empty title="Nothing found">
            {data.gateway_checked_at === null
              ? "The checks from outside found nothing wrong. Run the doctor to check the agent's data and settings, too. This takes up to two minutes."
              : "The checks from outside and the agent's own doctor found nothing wrong."}
          </Empty>
        ) : (
          <ul className="flex flex-col divide-y divide-line">
            {data.findings.map((finding) => (
              <Finding key={JSON.stringify(finding)} finding={finding} instance={instance} />
            ))}
          </ul>
        )}
        {data.gateway_checked_at === null ? null : (
          <p className="text-quiet">
            The agent&#39;s own doctor last checked <Ago at={data.gateway_checked_at} long />.
          </p>
        )}
      </Card>
    </>
  );
}

const STEPS: Readonly<Record<NonNullable<DoctorReport["run"]>["step"], string>> = {
  backing_up: "The data is backed up before the repair.",
  repairing: "The agent is stopped, and its doctor repairs the data.",
  checking: "The agent's own doctor checks its data and settings. This takes up to two minutes.",
};

function RunNotice({ run, instance }: Pick<DoctorReport, "run"> & { instance: Instance }) {
  if (run === null) return null;
  if (run.state === "running") {
    return (
      <div role="status">
        <Notice tone="busy" title={run.kind === "check" ? "The doctor checks" : "The doctor repairs"}>
          {STEPS[run.step]} It began <Ago at={run.started_at} long />.
        </Notice>
      </div>
    );
  }
  if (run.reason !== null) {
    return (
      <Notice tone="bad" title={run.kind === "check" ? "The check failed" : "The repair failed"}>
        {run.reason}
      </Notice>
    );
  }
  if (run.kind === "check" || run.ended_at === null) return null;
  return (
    <Notice tone="info" title="The doctor repaired the agent">
      It ended <Ago at={run.ended_at} long />.
      {run.backup_id === null ? null : <UndoHint instance={instance} backupId={run.backup_id} />}
    </Notice>
  );
}

/** How to return to the data before a repair. */
function UndoHint({ instance: { id }, backupId }: { instance: Instance; backupId: string }) {
  const backup = useQuery(backupsOf(id)).data?.data.find((one) => one.id === backupId);
  const which = backup === undefined ? "that was made before it" : `of ${momentOf(backup)}`;
  return ` To undo the repair, restore the backup ${which} on the page Backups.`;
}

const SEVERITIES: Readonly<Record<DoctorFinding["severity"], readonly [name: string, tone: Tone]>> = {
  error: ["Error", "bad"],
  warning: ["Warning", "busy"],
  info: ["Information", "info"],
};

function Finding({ finding, instance }: { finding: DoctorFinding; instance: Instance }) {
  const { severity, message, remedy, path, since, id, source, repair } = finding;
  const isReadOnly = useIsReadOnly();
  const [name, tone] = SEVERITIES[severity];
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3 first:pt-0">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1 break-words">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-quiet">
          <Badge tone={tone}>{name}</Badge>
          <span>{source === "gateway" ? `Agent's doctor: ${id}` : "Platform"}</span>
          {since === null ? null : (
            <span>
              since <Ago at={since} long />
            </span>
          )}
        </p>
        <p className="whitespace-pre-line">{message}</p>
        {path === null ? null : <p className="font-mono text-xs text-soft">{path}</p>}
        {remedy === null ? null : <p className="whitespace-pre-line text-soft">{remedy}</p>}
      </div>
      {repair === null || isReadOnly ? null : <RepairAction repair={repair} instance={instance} />}
    </li>
  );
}
