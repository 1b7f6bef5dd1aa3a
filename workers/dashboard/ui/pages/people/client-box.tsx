import { Combobox } from "@base-ui/react/combobox";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useDeferredValue, useId, useState } from "react";
import { type Client, clientRoutes } from "../../../../contracts/api/clients.ts";
import { read } from "../../api/queries.ts";
import { CONTROL } from "../../kit/control.ts";

const MOST = 20;

export interface ClientBoxProps {
  value: Client | null;
  onChange: (client: Client | null) => void;
  /** The partner whose clients are offered; null: internal ones. */
  partnerId: string | null;
  /** Ids of clients that are not offered. */
  without: readonly string[];
}

/** Chooses a client by a part of its slug or name, as the API finds them. */
export function ClientBox({ value, onChange, partnerId, without }: ClientBoxProps) {
  const id = useId();
  const [text, setText] = useState("");
  const search = useDeferredValue(text.trim());
  // What is chosen is not searched for.
  const query = useQuery({
    ...read(clientRoutes.listClients, {
      query: { search: value?.name === search ? "" : search, partner_id: partnerId ?? undefined, limit: MOST },
    }),
    placeholderData: (before) => before,
  });
  const found = (query.data?.data ?? []).filter(
    (client) => (client.partner?.id ?? null) === partnerId && !without.includes(client.id),
  );
  const items = value === null || found.some((client) => client.id === value.id) ? found : [...found, value];
  return (
    <Combobox.Root
      items={items}
      filter={null}
      value={value}
      onValueChange={onChange}
      onInputValueChange={setText}
      itemToStringLabel={(client: Client) => client.name}
      isItemEqualToValue={(one: Client, other: Client) => one.id === other.id}
      autoHighlight
    >
      <div className="flex flex-col gap-1">
        <label htmlFor={id} className="text-[0.8125rem] font-medium">
          Client
        </label>
        <Combobox.InputGroup className="relative">
          <Combobox.Input id={id} placeholder="Search by slug or name" className={`${CONTROL} h-8.5 w-full pr-9`} />
          <Combobox.Trigger
            aria-label="Show clients"
            className="absolute top-0 right-0 flex size-8.5 items-center justify-center text-quiet"
          >
            <ChevronDown aria-hidden="true" className="size-4" />
          </Combobox.Trigger>
        </Combobox.InputGroup>
      </div>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} className="z-60 outline-none">
          <Combobox.Popup className="w-[var(--anchor-width)] rounded-lg border border-line bg-raised p-1 shadow-raised">
            <Combobox.Status className="px-2.5 text-[0.8125rem] text-quiet empty:hidden">
              {query.error === null ? null : query.error.message}
            </Combobox.Status>
            <Combobox.Empty className="px-2.5 py-2 text-quiet empty:hidden">
              {query.isFetching || query.error !== null ? null : "No client of theirs is like that."}
            </Combobox.Empty>
            <Combobox.List className="max-h-60 overflow-y-auto">
              {(client: Client) => (
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
