import type { jobRoutes } from "#workers/contracts/api/jobs.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { formatDuration } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";

type JobEvent = Answer<typeof jobRoutes.getJob>["events"][number];
type Step = NonNullable<JobEvent["step"]>;

const PHASES: Readonly<Record<Step["phase"], readonly [tone: Tone, name: string]>> = {
  begun: ["busy", "running"],
  done: ["good", "done"],
  failed: ["bad", "failed"],
};

/** The latest step of each resource, in start order. */
function stepsOf(events: readonly JobEvent[]): Step[] {
  const last = new Map<string, Step>();
  for (const { step } of events) {
    if (step !== null) last.set(`${step.operation} ${step.type} ${step.resource}`, step);
  }
  return [...last.values()];
}

const typeName = (type: string): string => type.split(/[:/]/).at(-1) ?? type;

interface JobStepsProps {
  events: readonly JobEvent[];
  ended: boolean;
}

export const JobSteps = (props: JobStepsProps) => (
  <Card title="Steps" about="Progress of each resource" flush>
    <StepList {...props} />
  </Card>
);

export function StepList({ events, ended }: JobStepsProps) {
  const steps = stepsOf(events);
  return (
    <ol aria-label="Steps" className="text-[0.8125rem]">
      {steps.map(({ phase, operation, type, resource, milliseconds }) => {
        const [tone, name] = PHASES[phase];
        return (
          <li
            key={`${operation} ${type} ${resource}`}
            className="flex min-h-10 items-center gap-3 border-t border-line px-4 py-1.5"
          >
            <span className="w-20 shrink-0">
              {phase === "begun" && ended ? <Badge>interrupted</Badge> : <Badge tone={tone}>{name}</Badge>}
            </span>
            <span className="hidden w-16 shrink-0 text-quiet sm:block">{operation}</span>
            <span className="min-w-0 flex-1 truncate" title={type}>
              <span className="font-medium">{resource}</span> <span className="text-quiet">{typeName(type)}</span>
            </span>
            <span className="text-quiet tabular-nums">
              {phase === "begun" ? "" : formatDuration(milliseconds / 1_000)}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
