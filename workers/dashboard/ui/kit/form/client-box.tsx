import { Combobox } from "@base-ui/react/combobox";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useDeferredValue, useId, useState } from "react";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { apiQuery } from "../../api/queries.ts";
import { CONTROL } from "./control.ts";

const MAX_RESULTS = 20;

type Choice = Pick<Client, "id" | "name" | "slug">;

interface ClientBoxProps {
  value: Choice | null;
  onChange: (client: Client | null) => void;
  /** Partner whose clients are offered; null: internal clients. Default: all clients. */
  partnerId?: string | null;
  without?: readonly string[];
  placeholder?: string;
  isFilter?: boolean;
}

export function ClientBox({
  value,
  onChange,
  partnerId,
  without = [],
  placeholder = "Search by slug or name",
  isFilter = false,
}: ClientBoxProps) {
  const id = useId();
  const [text, setText] = useState("");
  const search = useDeferredValue(text.trim());
  // The selected client's name is not a search.
  const wanted = value?.name === search ? "" : search;
  const query = useQuery({
    ...apiQuery(clientRoutes.listClients, {
      query: { search: wanted, partner_id: partnerId ?? undefined, limit: MAX_RESULTS },
    }),
    placeholderData: keepPreviousData,
  });
  const found = (query.data?.data ?? []).filter(
    (client) => (partnerId === undefined || (client.partner?.id ?? null) === partnerId) && !without.includes(client.id),
  );
  const items: readonly Choice[] =
    value === null || found.some((client) => client.id === value.id) ? found : [...found, value];
  return (
    <Combobox.Root
      items={items}
      filter={null}
      value={value}
      onValueChange={(next: Choice | null) => onChange(found.find((client) => client.id === next?.id) ?? null)}
      onInputValueChange={setText}
      itemToStringLabel={(client: Choice) => client.name}
      isItemEqualToValue={(one: Choice, other: Choice) => one.id === other.id}
      autoHighlight
    >
      <div className="flex flex-col gap-1">
        <label htmlFor={id} className={isFilter ? "sr-only" : "text-[0.8125rem] font-medium"}>
          Client
        </label>
        <Combobox.InputGroup className={isFilter ? "relative w-44" : "relative"}>
          <Combobox.Input id={id} placeholder={placeholder} className={`${CONTROL} h-8.5 w-full pr-9`} />
          <Combobox.Trigger
            aria-label="Show clients"
            className="absolute top-0 right-0 flex size-8.5 items-center justify-center text-quiet"
          >
            <ChevronDown aria-hidden="true" className="size-4" />
          </Combobox.Trigger>
        </Combobox.InputGroup>
      </div>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} align="start" className="z-60 outline-none">
          <Combobox.Popup className="w-[max(var(--anchor-width),14rem)] rounded-lg border border-line bg-raised p-1 shadow-raised">
            <Combobox.Status className="px-2.5 text-[0.8125rem] text-quiet empty:hidden">
              {query.error?.message}
            </Combobox.Status>
            <Combobox.Empty className="px-2.5 py-2 text-quiet empty:hidden">
              {query.isFetching || query.error !== null ? null : "No matching clients"}
            </Combobox.Empty>
            <Combobox.List className="max-h-60 overflow-y-auto">
              {(client: Choice) => (
                <Combobox.Item
                  key={client.id}
                  value={client}
                  className="flex cursor-default items-center gap-3 rounded-md px-2.5 py-1.5 outline-none data-[highlighted]:bg-hover"
                >
                  <span className="min-w-0 flex-1 truncate">{client.name}</span>
                  <span className="text-xs text-quiet">{client.slug}</span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
