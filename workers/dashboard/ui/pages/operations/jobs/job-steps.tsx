import type { jobRoutes } from "#workers/contracts/api/jobs.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { formatDuration } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";

type JobEvent = Answer<typeof jobRoutes.getJob>["events"][number];
type Step = NonNullable<JobEvent["step"]>;

const PHASES: Readonly<Record<Step["phase"], Tone>> = { begun: "busy", done: "good", failed: "bad" };

/** What is done to each resource, as it was told last; in the order in which they were begun. */
export function stepsOf(events: readonly JobEvent[]): Step[] {
  const last = new Map<string, Step>();
  for (const { step } of events) {
    if (step !== null) last.set(`${step.operation} ${step.type} ${step.resource}`, step);
  }
  return [...last.values()];
}

/** Without the package and module, which are the same for most. */
const typeName = (type: string): string => type.split(/[:/]/).at(-1) ?? type;

export interface JobStepsProps {
  events: readonly JobEvent[];
  /** Whether the job has ended, so that nothing of it is under way. */
  ended: boolean;
}

export const JobSteps = (props: JobStepsProps) => (
  <Card title="Steps" about="Each resource, as the engine goes over it." flush>
    <StepList {...props} />
  </Card>
);

/** The same without anything around it. */
export function StepList({ events, ended }: JobStepsProps) {
  const steps = stepsOf(events);
  return (
    <ol aria-label="Steps" className="text-[0.8125rem]">
      {steps.map(({ phase, operation, type, resource, milliseconds }) => (
        <li
          key={`${operation} ${type} ${resource}`}
          className="flex min-h-10 items-center gap-3 border-t border-line px-4 py-1.5"
        >
          <span className="w-20 shrink-0">
            {phase === "begun" && ended ? <Badge>broken off</Badge> : <Badge tone={PHASES[phase]}>{phase}</Badge>}
          </span>
          <span className="hidden w-16 shrink-0 text-quiet sm:block">{operation}</span>
          <span className="min-w-0 flex-1 truncate" title={type}>
            <span className="font-medium">{resource}</span> <span className="text-quiet">{typeName(type)}</span>
          </span>
          <span className="text-quiet tabular-nums">
            {phase === "begun" ? "" : formatDuration(milliseconds / 1_000)}
          </span>
        </li>
      ))}
    </ol>
  );
}
