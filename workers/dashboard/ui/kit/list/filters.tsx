import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "../button.tsx";
import { joinClasses } from "../classes.ts";
import { CONTROL } from "../form/control.ts";
import { capitalised } from "../format.ts";

const DEBOUNCE_MS = 250;

interface SearchBoxProps {
  label: string;
  placeholder: string;
  text: string;
  onChange: (text: string) => void;
}

/** Searches once typing pauses. */
export function SearchBox({ label, placeholder, text, onChange }: SearchBoxProps) {
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  // Ignores its own search when it returns through the address, which would undo later typing.
  useEffect(() => {
    if (text === sent.current) return;
    sent.current = text;
    setTyped(text);
  }, [text]);
  useEffect(() => {
    const search = typed.trim();
    if (search === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = search;
      onChange(search);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      maxLength={100}
      onChange={(event) => setTyped(event.currentTarget.value)}
      className={`${CONTROL} h-8.5 w-full sm:w-64`}
    />
  );
}

interface ChoiceFilterProps<T extends string> {
  name: string;
  value: T | undefined;
  values: readonly T[];
  nameOf?: (value: T) => string;
  /** Shown without a choice. Default: the name and `any`. */
  none?: string;
  onChange: (value: T | undefined) => void;
}

export function ChoiceFilter<T extends string>({
  name,
  value,
  values,
  nameOf = capitalised,
  none = `${name}: any`,
  onChange,
}: ChoiceFilterProps<T>) {
  return (
    <select
      aria-label={name}
      value={value ?? ""}
      onChange={(event) => onChange(values.find((one) => one === event.currentTarget.value))}
      className={joinClasses(
        CONTROL,
        "h-8.5 max-w-44 min-w-0 shrink-0 max-sm:h-8 max-sm:rounded-full",
        value !== undefined && "border-accent bg-accent-soft font-medium text-accent-strong",
      )}
    >
      <option value="">{none}</option>
      {values.map((one) => (
        <option key={one} value={one}>
          {nameOf(one)}
        </option>
      ))}
    </select>
  );
}

export const ClearFilters = ({ onClear }: { onClear: () => void }) => (
  <Button variant="ghost" onClick={onClear}>
    <X aria-hidden="true" /> Clear filters
  </Button>
);
