import { Check, CircleHelp, X } from "lucide-react";
import { joinClasses } from "#workers/dashboard/ui/kit/classes.ts";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { type Probe, type ProbeResults, probes } from "./probe-results.ts";

const ABOUT: Readonly<Record<Probe, readonly [name: string, about: string]>> = {
  startup: ["Startup", "Has the gateway started, with its backup restored?"],
  readiness: ["Readiness", "Can it accept traffic?"],
  liveness: ["Liveness", "Does the gateway respond?"],
};

export const ProbeList = ({ results }: { results: ProbeResults | undefined }) => (
  <ul className="grid gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-3">
    {probes.map((probe) => {
      const ok = results?.flags[probe];
      const [name, about] = ABOUT[probe];
      const error = results?.errors[probe];
      return (
        <li key={probe} className="flex min-h-16 flex-col sm:min-h-24 gap-0.5 bg-card px-3 py-2.5">
          <span className="flex items-center gap-2 font-medium">
            <Outcome ok={ok} />
            {name}
            <span className="flex-1" />
            <span className="text-xs font-normal text-quiet tabular-nums">
              {results?.latencies ? `${formatNumber(Math.round(results.latencies[probe]))} ms` : null}
            </span>
          </span>
          <span className={joinClasses("text-xs break-words", ok === false ? "text-soft" : "text-quiet")}>
            {ok === false && error !== undefined ? error : about}
          </span>
        </li>
      );
    })}
  </ul>
);

function Outcome({ ok }: { ok: boolean | undefined }) {
  const [Icon, colour, word] =
    ok === undefined
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
