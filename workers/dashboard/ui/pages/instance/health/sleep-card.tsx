import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Skeleton } from "#workers/dashboard/ui/kit/states.tsx";
import { sleepStatus } from "./sleep-status.ts";
import type { Health } from "./use-health.ts";

const TONES: Readonly<Record<string, Tone>> = { Awake: "good", Asleep: "info", Restarting: "busy" };

export function SleepCard({ instance, health: { read } }: { instance: Instance; health: Health }) {
  const { state, why, rule } = sleepStatus(read.data?.sandbox ?? null, instance.billing_plan);
  return (
    <Card
      title="Sleep"
      actions={read.data === undefined ? null : <Badge tone={TONES[state] ?? "quiet"}>{state}</Badge>}
    >
      <div className="flex flex-col gap-2">
        {read.data === undefined && read.error === null ? <Skeleton className="h-10" /> : <p>{why}</p>}
        <p className="text-[0.8125rem] text-quiet">{rule}</p>
      </div>
    </Card>
  );
}
