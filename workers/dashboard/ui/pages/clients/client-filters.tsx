import { useCallback } from "react";
import { planLabel, plans } from "#domain/plans/plan.ts";
import { clientStates, instanceStates } from "#domain/tenants/instance-state.ts";
import { ChoiceFilter, ClearFilters, SearchBox } from "../../kit/list/filters.tsx";
import { PartnerFilter } from "../../kit/list/partner-filter.tsx";
import type { ClientsSearch } from "./search.ts";

const NO_FILTERS = { search: undefined, status: undefined, plan: undefined, instance: undefined, partner: undefined };

interface ClientFiltersProps {
  search: ClientsSearch;
  filtered: boolean;
  onChange: (part: Partial<ClientsSearch>) => void;
}

export function ClientFilters({ search, filtered, onChange }: ClientFiltersProps) {
  const find = useCallback((text: string) => onChange({ search: text === "" ? undefined : text }), [onChange]);
  return (
    <search className="flex flex-wrap items-center gap-2">
      <SearchBox
        label="Search clients by slug or name"
        placeholder="Search by slug or name"
        text={search.search ?? ""}
        onChange={find}
      />
      <div className="flex min-w-0 items-center gap-2 max-sm:-mx-4 max-sm:w-screen max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 sm:flex-wrap">
        <ChoiceFilter
          name="Status"
          value={search.status}
          values={clientStates}
          onChange={(status) => onChange({ status })}
        />
        <ChoiceFilter
          name="Plan"
          value={search.plan}
          values={plans}
          nameOf={planLabel}
          onChange={(plan) => onChange({ plan })}
        />
        <ChoiceFilter
          name="Instance"
          value={search.instance}
          values={instanceStates}
          onChange={(instance) => onChange({ instance })}
        />
        <PartnerFilter value={search.partner} onChange={(partner) => onChange({ partner })} />
        {filtered ? <ClearFilters onClear={() => onChange(NO_FILTERS)} /> : null}
      </div>
    </search>
  );
}
