import { Check, CircleHelp, Moon, X } from "lucide-react";
import { joinClasses } from "#workers/dashboard/ui/kit/classes.ts";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { type Probe, type ProbeResults, probes } from "./probe-results.ts";

const ABOUT: Readonly<Record<Probe, readonly [name: string, about: string]>> = {
  startup: ["Startup", "Has the agent started, with its backup restored?"],
  readiness: ["Readiness", "Can it accept messages?"],
  liveness: ["Liveness", "Does it respond?"],
};

interface ProbeListProps {
  results: ProbeResults | undefined;
  /** Whether the container sleeps, so that failed probes are no fault. */
  sleeps: boolean;
}

export const ProbeList = ({ results, sleeps }: ProbeListProps) => (
  <ul className="grid gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-3">
    {probes.map((probe) => {
      const ok = results?.flags[probe];
      const [name, about] = ABOUT[probe];
      const error = results?.errors[probe];
      return (
        <li key={probe} className="flex min-h-16 flex-col sm:min-h-24 gap-0.5 bg-card px-3 py-2.5">
          <span className="flex items-center gap-2 font-medium">
            <Outcome ok={ok} sleeps={sleeps} />
            {name}
            <span className="flex-1" />
            <span className="text-xs font-normal text-quiet tabular-nums">
              {results?.latencies ? `${formatNumber(Math.round(results.latencies[probe]))} ms` : null}
            </span>
          </span>
          <span className={joinClasses("text-xs break-words", ok === false && !sleeps ? "text-soft" : "text-quiet")}>
            {ok === false && error !== undefined && !sleeps ? error : about}
          </span>
        </li>
      );
    })}
  </ul>
);

function Outcome({ ok, sleeps }: { ok: boolean | undefined; sleeps: boolean }) {
  const [Icon, colour, word] = sleeps
    ? ([Moon, "text-quiet", "asleep"] as const)
    : ok === undefined
      ? ([CircleHelp, "text-quiet", "unknown"] as const)
      : ok
        ? ([Check, "text-good", "succeeded"] as const)
        : ([X, "text-bad", "failed"] as const);
  return (
    <>
      <Icon aria-hidden="true" className={joinClasses("size-4", colour)} />
      <span className="sr-only">{word}:</span>
    </>
  );
}
