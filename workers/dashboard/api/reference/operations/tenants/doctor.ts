import { doctorRoutes } from "#workers/contracts/api/tenants/doctor.ts";
import { BACKUP_ID, IDS } from "../examples.ts";
import { section } from "../section.ts";

const params = { instance_id: IDS.instance };
const CANNOT_RUN = "The instance is frozen, stopped or asleep";
const checked = {
  findings: [
    {
      id: "core/doctor/heartbeat-cadence-migration",
      source: "gateway" as const,
      severity: "warning" as const,
      message: 'Create heartbeat monitor for agent "main" at 30m.',
      remedy: "Run openclaw doctor --fix to materialize heartbeat cadence in cron.",
      path: "/workspace/state/cron/jobs.json",
      since: "2026-11-02T14:58:09.000Z",
      repair: "repairByDoctor" as const,
    },
  ],
  run: {
    kind: "check" as const,
    state: "done" as const,
    step: "checking" as const,
    started_at: "2026-11-02T14:58:01.000Z",
    ended_at: "2026-11-02T14:58:09.000Z",
    reason: null,
    backup_id: null,
  },
  gateway_checked_at: "2026-11-02T14:58:09.000Z",
};
const running = { ...checked.run, state: "running" as const, started_at: "2026-11-02T15:02:00.000Z", ended_at: null };

export const doctorSection = section(
  doctorRoutes,
  "Doctor",
  "The doctor finds what is wrong with an instance. The platform checks health, incidents, backups, channels, network, provider keys, credit and version. OpenClaw's own doctor checks its state and configuration in the running container. Texts of the gateway have no secrets.",
  {
    getDoctor: {
      description:
        "Returns the present findings of the platform and those of the gateway's last check. Poll it every few seconds while `run.state` is `running`. A finding names the operation that repairs it.",
      params,
      answer: checked,
    },
    runDoctor: {
      description:
        "Starts a check by the gateway's own doctor, which changes nothing and ends after at most two minutes. While one runs, the request joins it. Poll `getDoctor`.",
      params,
      answer: { ...checked, run: running },
      errors: { conflict: `${CANNOT_RUN}, or its Worker is of an earlier version.` },
    },
    repairByDoctor: {
      description:
        "Backs up the state, stops the gateway, runs its doctor with `--fix`, starts the gateway, and checks again. Users are disconnected for a minute or two. Nothing is changed if the backup fails. To undo it, restore the backup `run.backup_id`.",
      params,
      answer: { ...checked, run: { ...running, kind: "repair", step: "repairing", backup_id: BACKUP_ID } },
      errors: { conflict: `${CANNOT_RUN}, its doctor checks at this moment, or its Worker is of an earlier version.` },
    },
  },
);
