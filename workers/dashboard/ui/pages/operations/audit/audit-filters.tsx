import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { CONTROL } from "#workers/dashboard/ui/kit/form/control.ts";
import { ChoiceFilter } from "#workers/dashboard/ui/kit/list/filters.tsx";
import type { AuditSearch } from "../search.ts";
import { ClientFilter } from "./client-filter.tsx";
import { auditEntities, entityName } from "./entity-names.ts";
import { localMoment, momentOf } from "./local-moment.ts";

interface AuditFiltersProps {
  search: AuditSearch;
  filtered: boolean;
  onChange: (part: Partial<AuditSearch>) => void;
}

export function AuditFilters({ search, filtered, onChange }: AuditFiltersProps) {
  const { entity, client, actor, from, to } = search;
  return (
    <search className="flex flex-wrap items-end gap-2">
      <ChoiceFilter
        name="Entity"
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
          variant="ghost"
          onClick={() =>
            onChange({ entity: undefined, client: undefined, actor: undefined, from: undefined, to: undefined })
          }
        >
          <X aria-hidden="true" /> Clear filters
        </Button>
      ) : null}
    </search>
  );
}

/** Applies on Enter or blur, because only full names match. */
function Actor({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const apply = () => {
    if (typed.trim() !== value) onChange(typed.trim());
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <input
        aria-label="Actor: an email address, a stack, or service"
        placeholder="Actor"
        value={typed}
        maxLength={254}
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={apply}
        className={`${CONTROL} h-8.5 w-52`}
      />
    </form>
  );
}

interface MomentFilterProps {
  name: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

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
