import type { JobState } from "#domain/entities/job.ts";
import type { ClientState, InstanceState } from "#domain/tenants/instance-state.ts";
import { Badge, type Tone } from "./badge.tsx";

const CLIENT: Readonly<Record<ClientState, Tone>> = { draft: "quiet", active: "info", production: "good" };
const INSTANCE: Readonly<Record<InstanceState, Tone>> = {
  provisioning: "busy",
  running: "good",
  frozen: "info",
  stopped: "quiet",
  error: "bad",
};
const JOB: Readonly<Record<JobState, Tone>> = {
  queued: "quiet",
  running: "busy",
  succeeded: "good",
  failed: "bad",
  cancelled: "quiet",
};

export const ClientBadge = ({ state }: { state: ClientState }) => <Badge tone={CLIENT[state]}>{state}</Badge>;
export const JobBadge = ({ state }: { state: JobState }) => <Badge tone={JOB[state]}>{state}</Badge>;
export const InstanceBadge = ({ state }: { state: InstanceState | null }) =>
  state === null ? <Badge>none</Badge> : <Badge tone={INSTANCE[state]}>{state}</Badge>;
