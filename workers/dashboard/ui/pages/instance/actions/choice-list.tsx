import { type ReactNode, useId } from "react";
import { joinClasses } from "#workers/dashboard/ui/kit/classes.ts";

interface Option<T extends string> {
  value: T;
  name: ReactNode;
  beside?: ReactNode;
  about?: ReactNode;
  /** Why it is disabled. */
  unavailable?: string | undefined;
}

interface ChoiceListProps<T extends string> {
  label: string;
  options: readonly Option<T>[];
  value: T | undefined;
  onChange: (value: T) => void;
}

export function ChoiceList<T extends string>({ label, options, value, onChange }: ChoiceListProps<T>) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-[0.8125rem] font-medium">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={joinClasses(
            "flex items-start gap-2.5 rounded-lg border px-3 py-2",
            option.value === value ? "border-accent bg-accent-soft" : "border-line",
            option.unavailable === undefined ? "hover:border-line-strong" : "opacity-70",
          )}
        >
          <input
            type="radio"
            name={name}
            className="mt-1 shrink-0 accent-accent"
            checked={option.value === value}
            disabled={option.unavailable !== undefined}
            onChange={() => onChange(option.value)}
          />
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-baseline justify-between gap-x-3 font-medium">
              <span className="min-w-0 break-words">{option.name}</span>
              {option.beside === undefined ? null : <span className="font-normal text-quiet">{option.beside}</span>}
            </span>
            {option.about === undefined && option.unavailable === undefined ? null : (
              <span className="block text-xs text-quiet">
                {option.unavailable ?? null}
                {option.unavailable === undefined || option.about === undefined ? null : <br />}
                {option.about}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
