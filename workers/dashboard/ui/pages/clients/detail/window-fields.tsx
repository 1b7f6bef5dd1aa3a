import { useId } from "react";
import { joinClasses } from "#workers/dashboard/ui/kit/classes.ts";
import { CheckField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { type ControlOf, hoursFault, type TypedWindow } from "./field-values.ts";
import { dayName } from "./window-facts.tsx";

const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;
const defaultWindow = (): TypedWindow => ({
  days: [...DAYS],
  start: "02:00",
  hours: "4",
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});
const ZONES = Intl.supportedValuesOf("timeZone");

interface WindowFieldsProps {
  control: ControlOf<"window">;
  window: TypedWindow | null;
  onChange: (window: TypedWindow | null) => void;
  fault: string | undefined;
}

export function WindowFields({ control, window, onChange, fault }: WindowFieldsProps) {
  const zones = useId();
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line px-3 pt-1 pb-3">
      <legend className="px-1 text-[0.8125rem] font-medium">{control.label}</legend>
      <CheckField
        label={control.switchLabel}
        about={control.help}
        checked={window !== null}
        onChange={(checked) => onChange(checked ? defaultWindow() : null)}
      />
      {window === null ? null : (
        <>
          <Days days={window.days} onChange={(days) => onChange({ ...window, days })} />
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-[1fr_1fr_2fr]">
            <TextField
              label="From"
              type="time"
              value={window.start}
              onChange={(start) => onChange({ ...window, start })}
              required
            />
            <TextField
              label="Hours"
              inputMode="numeric"
              value={window.hours}
              onChange={(hours) => onChange({ ...window, hours })}
              fault={hoursFault(window.hours)}
              maxLength={5}
              required
            />
            <TextField
              label="Time zone"
              list={zones}
              value={window.time_zone}
              onChange={(time_zone) => onChange({ ...window, time_zone })}
              className="max-sm:col-span-2"
              required
            />
            <datalist id={zones}>
              {ZONES.map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
          </div>
        </>
      )}
      {fault === undefined ? null : (
        <p role="alert" className="text-xs text-bad">
          Maintenance window: {fault}.
        </p>
      )}
    </fieldset>
  );
}

const Days = ({ days, onChange }: { days: number[]; onChange: (days: number[]) => void }) => (
  <fieldset className="flex flex-wrap gap-1.5">
    <legend className="sr-only">Days</legend>
    {DAYS.map((day) => {
      const chosen = days.includes(day);
      return (
        <button
          key={day}
          type="button"
          aria-pressed={chosen}
          // At least one day must remain.
          disabled={chosen && days.length === 1}
          onClick={() => onChange(chosen ? days.filter((one) => one !== day) : [...days, day].toSorted())}
          className={joinClasses(
            "h-8 min-w-11 rounded-md border px-2 text-[0.8125rem]",
            chosen
              ? "border-transparent bg-accent-soft font-medium text-accent-strong"
              : "border-line text-soft hover:bg-hover",
          )}
        >
          {dayName(day)}
        </button>
      );
    })}
  </fieldset>
);
