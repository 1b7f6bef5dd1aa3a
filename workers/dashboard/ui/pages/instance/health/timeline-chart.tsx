import { Group } from "@visx/group";
import { Bar } from "@visx/shape";
import { incidentName } from "../../operations/incidents/incident-names.ts";
import { DAY_MS, hourTicks, type IncidentSpan, laneOf, type Outcome, type TimeSpan } from "./lanes.ts";
import { formatTime, OUTCOME_LABELS, PROBE_LABELS } from "./probe-labels.ts";
import { probes } from "./probe-results.ts";

const LANE = 28;
const BAR = 16;
const LABELS = 84;
const AXIS = 26;
const MARGIN = 20;
const HOUR_ROOM = 72;
const MIN_WIDTH = 2;

/** Heights differ too, for viewers who cannot tell the colours apart. */
const BARS: Readonly<Record<Outcome, readonly [height: number, colour: string]>> = {
  all: [BAR, "fill-chart-5"],
  some: [BAR * 0.6, "fill-chart-3"],
  no: [BAR * 0.35, "fill-bad"],
  none: [2, "fill-line-strong"],
};

interface TimelineChartProps {
  timeSpans: readonly TimeSpan[];
  incidents: readonly IncidentSpan[];
  now: number;
  width: number;
  label: string;
}

const CHART_HEIGHT = LANE * (probes.length + 1) + AXIS;
const hours = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });

export default function TimelineChart({ timeSpans, incidents, now, width, label }: TimelineChartProps) {
  const room = Math.max(width - LABELS - MARGIN, 1);
  // Linear, so no scale library is loaded.
  const place = (at: number) => (room * (at - (now - DAY_MS))) / DAY_MS;
  const span = (from: number, until: number) => ({
    x: place(from),
    width: Math.max(place(until) - place(from), MIN_WIDTH),
  });
  return (
    <svg role="img" aria-label={label} width={width} height={CHART_HEIGHT} className="block text-xs">
      {probes.map((probe, row) => (
        <Group key={probe} top={row * LANE}>
          <LaneLabel name={PROBE_LABELS[probe]} />
          <Group left={LABELS}>
            {laneOf(timeSpans, probe).map(({ from, until, outcome }) => {
              const [height, colour] = BARS[outcome];
              return (
                <Bar key={from} {...span(from, until)} y={(LANE + BAR) / 2 - height} height={height} className={colour}>
                  <title>{`${PROBE_LABELS[probe]} ${OUTCOME_LABELS[outcome]}, ${formatTime(from)} to ${formatTime(until)}`}</title>
                </Bar>
              );
            })}
          </Group>
        </Group>
      ))}
      <Group top={probes.length * LANE}>
        <LaneLabel name="Incidents" />
        <Group left={LABELS}>
          {incidents.map(({ from, until, incident }) => (
            <Bar
              key={incident.id}
              {...span(from, until)}
              y={(LANE - BAR) / 2}
              height={BAR}
              rx={3}
              className="fill-bad-soft stroke-bad"
            >
              <title>{`${incidentName(incident.kind)}, ${formatTime(from)} to ${incident.closed_at === null ? "now" : formatTime(until)}: ${incident.cause}`}</title>
            </Bar>
          ))}
        </Group>
      </Group>
      <Group top={LANE * (probes.length + 1)} left={LABELS}>
        {hourTicks(now, Math.max(2, Math.floor(room / HOUR_ROOM))).map((at) => (
          <Group key={at} left={place(at)}>
            <line y2={4} className="stroke-line-strong" />
            <text y={18} textAnchor="middle" className="fill-quiet text-[0.6875rem]">
              {hours.format(at)}
            </text>
          </Group>
        ))}
      </Group>
    </svg>
  );
}

const LaneLabel = ({ name }: { name: string }) => (
  <text x={0} y={LANE / 2} dominantBaseline="central" className="fill-soft">
    {name}
  </text>
);
