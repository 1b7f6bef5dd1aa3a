import { type RolloutTenantStatus, rolloutTenantStatuses } from "#domain/rollouts/progress.ts";
import { joinClasses } from "#workers/dashboard/ui/kit/classes.ts";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { statusLabel } from "./rollout-badge.tsx";
import { type RolloutDetails, totalOf, waveName } from "./rollout-counts.ts";

const FILLS: Readonly<Record<RolloutTenantStatus, string>> = {
  waiting: "bg-sunken border border-line-strong",
  announced: "bg-info-soft border border-info",
  changing: "bg-busy",
  done: "bg-good",
  failed: "bg-bad",
  going_back: "bg-busy",
  gone_back: "bg-quiet",
  stuck: "bg-bad",
  skipped: "bg-line-strong",
};

/** Shows one square per tenant if the API returned all of them. */
export function RolloutWaves({ rollout }: { rollout: RolloutDetails }) {
  const { waves, wave: current, by_wave, members, tenants, ended_at } = rollout;
  const squares = members.length < totalOf(tenants) ? [] : members;
  return (
    <Card
      title="Waves"
      about={`${formatNumber(tenants.done ?? 0)} of ${formatNumber(totalOf(tenants))} tenants have the version`}
      className="lg:col-span-2"
    >
      <ol className="flex flex-col gap-3 sm:flex-row sm:gap-0">
        {[0, ...waves].map((percent, wave) => {
          const counts = by_wave.find((one) => one.wave === wave)?.tenants;
          const isCurrent = wave === current && ended_at === null;
          return (
            <li
              key={percent}
              aria-current={isCurrent ? "step" : undefined}
              className={joinClasses(
                "min-w-0 border-t-2 pt-2 sm:flex-1 sm:pr-4",
                wave < current || ended_at !== null ? "border-accent" : isCurrent ? "border-busy" : "border-line",
              )}
            >
              <p className="flex items-baseline gap-2">
                <span className="font-medium">{waveName(wave, waves)}</span>
                {isCurrent ? <span className="text-xs text-busy">in progress</span> : null}
              </p>
              <p className="text-xs text-quiet">{counts === undefined ? "No tenants" : summaryOf(counts)}</p>
              <div aria-hidden="true" className="mt-2 flex flex-wrap gap-1">
                {squares
                  .filter((member) => member.wave === wave)
                  .map(({ instance_id, status, client }) => (
                    <span
                      key={instance_id}
                      title={`${client.slug}: ${statusLabel(status)}`}
                      className={joinClasses("size-3 rounded-xs", FILLS[status])}
                    />
                  ))}
              </div>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

const summaryOf = (counts: RolloutDetails["tenants"]): string =>
  rolloutTenantStatuses
    .flatMap((status) => (counts[status] ? [`${formatNumber(counts[status])} ${statusLabel(status)}`] : []))
    .join(", ");
