import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { ClientBox } from "#workers/dashboard/ui/kit/form/client-box.tsx";
import { CONTROL } from "#workers/dashboard/ui/kit/form/control.ts";
import { ChoiceFilter, ClearFilters } from "#workers/dashboard/ui/kit/list/filters.tsx";
import type { AuditSearch } from "../search.ts";
import { auditEntities, entityName } from "./entity-names.ts";

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
        <ClearFilters
          onClear={() =>
            onChange({ entity: undefined, client: undefined, actor: undefined, from: undefined, to: undefined })
          }
        />
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

const MomentFilter = ({ name, value, onChange }: MomentFilterProps) => (
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

interface ClientFilterProps {
  /** Client id; the client may be deleted by now. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function ClientFilter({ value, onChange }: ClientFilterProps) {
  const chosen = useQuery({
    ...apiQuery(clientRoutes.getClient, { params: { client_id: value ?? "" } }),
    enabled: value !== undefined,
  });
  const deleted = value === undefined ? null : { id: value, name: "Deleted client", slug: "" };
  return (
    <ClientBox
      isFilter
      placeholder="Client: any"
      value={value === undefined ? null : (chosen.data ?? deleted)}
      onChange={(client) => onChange(client?.id)}
    />
  );
}

/** Values of `datetime-local` inputs, in the viewer's time zone. */

const twoDigits = (value: number): string => String(value).padStart(2, "0");

function localMoment(at: string): string {
  const date = new Date(at);
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

function momentOf(local: string): string | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
