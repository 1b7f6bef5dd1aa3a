import { CONTROL } from "#workers/dashboard/ui/kit/form/control.ts";
import { formatDays, formatMonth } from "#workers/dashboard/ui/kit/format.ts";
import { PERIOD_DAYS, type Period, periodMonths } from "./period.ts";

interface PeriodChoiceProps {
  value: { days: number } | { month: string };
  period: Period;
  onChange: (search: { days: number | undefined; month: string | undefined }) => void;
}

export function PeriodChoice({ value, period: { first, last, before }, onChange }: PeriodChoiceProps) {
  const chosen = "month" in value ? value.month : undefined;
  const known = periodMonths();
  const months = chosen === undefined || known.includes(chosen) ? known : [...known, chosen];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <label className="flex items-center gap-2 font-medium">
        Period
        <select
          aria-label="Period"
          value={"month" in value ? value.month : value.days}
          onChange={({ currentTarget: { value: next } }) => {
            const month = months.find((one) => one === next);
            onChange({ days: month === undefined ? Number(next) : undefined, month });
          }}
          className={`${CONTROL} h-8.5 font-normal`}
        >
          {PERIOD_DAYS.map((days) => (
            <option key={days} value={days}>
              Last {days} days
            </option>
          ))}
          {months.map((month) => (
            <option key={month} value={month}>
              {formatMonth(month)}
            </option>
          ))}
        </select>
      </label>
      <p className="text-quiet">
        {formatDays({ first, last })} (UTC). Compared with {formatDays(before)}.
      </p>
    </div>
  );
}
