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

/** A status of a roll-out or of one of its tenants, in words. */
export const rolloutWords = (status: RolloutStatus | RolloutTenantStatus): string => status.replaceAll("_", " ");

export const RolloutBadge = ({ status }: { status: RolloutStatus }) => (
  <Badge tone={ROLLOUT[status]}>{rolloutWords(status)}</Badge>
);
export const TenantBadge = ({ status }: { status: RolloutTenantStatus }) => (
  <Badge tone={TENANT[status]}>{rolloutWords(status)}</Badge>
);
