import { ScrollRegion } from "#workers/dashboard/ui/kit/layout/scroll-region.tsx";
import { incidentName } from "../../operations/incidents/incident-names.ts";
import type { IncidentSpan, TimeSpan } from "./lanes.ts";
import { formatTime, OUTCOME_LABELS, PROBE_LABELS } from "./probe-labels.ts";
import { probes } from "./probe-results.ts";

export const TimelineTable = ({ timeSpans, incidents }: { timeSpans: TimeSpan[]; incidents: IncidentSpan[] }) => (
  <details className="mt-2 text-[0.8125rem]">
    <summary className="w-fit cursor-pointer text-quiet hover:text-text">Show as table</summary>
    <ScrollRegion label="Last 24 hours as table" className="mt-2 max-h-72">
      <table className="w-full min-w-120 text-left">
        <thead className="text-xs text-quiet">
          <tr>
            {["From", "Until", ...probes.map((probe) => PROBE_LABELS[probe])].map((name) => (
              <th key={name} scope="col" className="py-1 pr-3 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {timeSpans.toReversed().map(({ from, until, outcomes }) => (
            <tr key={from} className="border-t border-line">
              <td className="py-1 pr-3 whitespace-nowrap tabular-nums">{formatTime(from)}</td>
              <td className="py-1 pr-3 whitespace-nowrap tabular-nums">{formatTime(until)}</td>
              {probes.map((probe) => (
                <td key={probe} className="py-1 pr-3">
                  {OUTCOME_LABELS[outcomes[probe]]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {incidents.length === 0 ? null : (
        <ul className="mt-2 flex flex-col gap-1 border-t border-line pt-2">
          {incidents.toReversed().map(({ from, until, incident }) => (
            <li key={incident.id}>
              {incidentName(incident.kind)}, {formatTime(from)} to{" "}
              {incident.closed_at === null ? "now" : formatTime(until)}: {incident.cause}
            </li>
          ))}
        </ul>
      )}
    </ScrollRegion>
  </details>
);
