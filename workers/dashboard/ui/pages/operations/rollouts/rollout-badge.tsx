import type { RolloutStatus, RolloutTenantStatus } from "#domain/rollouts/progress.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";

const ROLLOUT: Readonly<Record<RolloutStatus, Tone>> = {
  running: "busy",
  paused: "info",
  rolling_back: "busy",
  succeeded: "good",
  failed: "bad",
  stopped: "quiet",
  rolled_back: "quiet",
};
const TENANT: Readonly<Record<RolloutTenantStatus, Tone>> = {
  waiting: "quiet",
  announced: "info",
  changing: "busy",
  done: "good",
  failed: "bad",
  going_back: "busy",
  gone_back: "quiet",
  stuck: "bad",
  skipped: "quiet",
};

export const statusLabel = (status: RolloutStatus | RolloutTenantStatus): string => status.replaceAll("_", " ");

export const RolloutBadge = ({ status }: { status: RolloutStatus }) => (
  <Badge tone={ROLLOUT[status]}>{statusLabel(status)}</Badge>
);
export const TenantBadge = ({ status }: { status: RolloutTenantStatus }) => (
  <Badge tone={TENANT[status]}>{statusLabel(status)}</Badge>
);
