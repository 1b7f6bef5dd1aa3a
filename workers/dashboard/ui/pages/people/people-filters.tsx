import { X } from "lucide-react";
import { useCallback } from "react";
import { Button } from "../../kit/button.tsx";
import { ChoiceFilter, SearchBox } from "../../kit/list/filters.tsx";
import { PartnerFilter } from "../../kit/list/partner-filter.tsx";
import { type PeopleSearch, userKinds } from "./search.ts";

const KINDS = { dashboard: "roots", person: "people of clients" } as const;

export interface PeopleFiltersProps {
  search: PeopleSearch;
  onChange: (part: Partial<PeopleSearch>) => void;
}

export function PeopleFilters({ search, onChange }: PeopleFiltersProps) {
  const find = useCallback((text: string) => onChange({ search: text === "" ? undefined : text }), [onChange]);
  const filtered = [search.search, search.kind, search.partner].some((value) => value !== undefined);
  return (
    <search className="flex flex-wrap items-center gap-2">
      <SearchBox
        label="Search people by address or name"
        placeholder="Search by address or name"
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
        <Button look="ghost" onClick={() => onChange({ search: undefined, kind: undefined, partner: undefined })}>
          <X aria-hidden="true" /> Clear
        </Button>
      ) : null}
    </search>
  );
}
