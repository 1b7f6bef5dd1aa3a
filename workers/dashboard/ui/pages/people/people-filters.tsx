import { useCallback } from "react";
import { ChoiceFilter, ClearFilters, SearchBox } from "../../kit/list/filters.tsx";
import { PartnerFilter } from "../../kit/list/partner-filter.tsx";
import { type PeopleSearch, userKinds } from "./search.ts";

const KINDS = { dashboard: "Roots", person: "Client users" } as const;

interface PeopleFiltersProps {
  search: PeopleSearch;
  filtered: boolean;
  onChange: (part: Partial<PeopleSearch>) => void;
}

export function PeopleFilters({ search, filtered, onChange }: PeopleFiltersProps) {
  const find = useCallback((text: string) => onChange({ search: text === "" ? undefined : text }), [onChange]);
  return (
    <search className="flex flex-wrap items-center gap-2">
      <SearchBox
        label="Search people by email or name"
        placeholder="Search by email or name"
        text={search.search ?? ""}
        onChange={find}
      />
      <ChoiceFilter
        name="Kind"
        value={search.kind}
        values={userKinds}
        nameOf={(kind) => KINDS[kind]}
        onChange={(kind) => onChange({ kind })}
      />
      <PartnerFilter value={search.partner} onChange={(partner) => onChange({ partner })} />
      {filtered ? (
        <ClearFilters onClear={() => onChange({ search: undefined, kind: undefined, partner: undefined })} />
      ) : null}
    </search>
  );
}
