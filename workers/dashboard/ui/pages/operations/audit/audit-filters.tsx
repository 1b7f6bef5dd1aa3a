import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { CONTROL } from "#workers/dashboard/ui/kit/form/control.ts";
import { ChoiceFilter } from "#workers/dashboard/ui/kit/list/filters.tsx";
import { ClientFilter } from "./client-filter.tsx";
import { auditEntities, entityName } from "./entity-names.ts";
import { localMoment, momentOf } from "./local-moment.ts";
import type { AuditSearch } from "./search.ts";

export interface AuditFiltersProps {
  search: AuditSearch;
  onChange: (part: Partial<AuditSearch>) => void;
}

export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { entity, client, actor, from, to } = search;
  const filtered = Object.values(search).some((value) => value !== undefined);
  return (
    <search className="flex flex-wrap items-end gap-2">
      <ChoiceFilter
        name="What"
        value={auditEntities.find((one) => one === entity)}
        values={auditEntities}
        nameOf={entityName}
        onChange={(next) => onChange({ entity: next })}
      />
      <ClientFilter value={client} onChange={(next) => onChange({ client: next })} />
      <Actor value={actor ?? ""} onChange={(next) => onChange({ actor: next === "" ? undefined : next })} />
      <MomentFilter name="From" value={from} onChange={(next) => onChange({ from: next })} />
      <MomentFilter name="Before" value={to} onChange={(next) => onChange({ to: next })} />
      {filtered ? (
        <Button
          look="ghost"
          onClick={() =>
            onChange({ entity: undefined, client: undefined, actor: undefined, from: undefined, to: undefined })
          }
        >
          <X aria-hidden="true" /> Clear
        </Button>
      ) : null}
    </search>
  );
}

/** Whole names alone are found: it is asked for once it is typed. */
function Actor({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const done = () => {
    if (typed.trim() !== value) onChange(typed.trim());
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        done();
      }}
    >
      <input
        aria-label="By whom: an address, a stack, or service"
        placeholder="By whom"
        value={typed}
        maxLength={254}
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={done}
        className={`${CONTROL} h-8.5 w-52`}
      />
    </form>
  );
}

interface MomentFilterProps {
  name: string;
  /** ISO 8601. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A moment in the viewer's zone. */
function MomentFilter({ name, value, onChange }: MomentFilterProps) {
  return (
    <label className="flex items-center gap-1.5 text-[0.8125rem] text-quiet">
      {name}
      <input
        type="datetime-local"
        value={value === undefined ? "" : localMoment(value)}
        onChange={(event) => onChange(momentOf(event.currentTarget.value))}
        className={`${CONTROL} h-8.5`}
      />
    </label>
  );
}
