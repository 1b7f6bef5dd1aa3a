import { Combobox } from "@base-ui/react/combobox";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { clientRoutes } from "../../../../../contracts/api/clients.ts";
import { read } from "../../../api/queries.ts";
import { CONTROL } from "../../../kit/control.ts";

const MOST = 8;

interface Choice {
  id: string;
  name: string;
}

export interface ClientFilterProps {
  /** Its id. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** One client, found by a few letters. */
export function ClientFilter({ value, onChange }: ClientFilterProps) {
  const [typed, setTyped] = useState("");
  const search = useDeferredValue(typed.trim());
  const found = useQuery(read(clientRoutes.listClients, { query: { search, limit: MOST } }));
  const chosen = useQuery({
    ...read(clientRoutes.getClient, { params: { client_id: value ?? "" } }),
    enabled: value !== undefined,
  });
  const choice: Choice | null =
    value === undefined ? null : { id: value, name: chosen.data?.slug ?? "A client that is gone" };
  const choices = (found.data?.data ?? []).map(({ id, slug }): Choice => ({ id, name: slug }));
  return (
    <Combobox.Root
      items={choices}
      filter={null}
      value={choice}
      onValueChange={(next: Choice | null) => onChange(next?.id)}
      onInputValueChange={setTyped}
      itemToStringLabel={({ name }: Choice) => name}
      isItemEqualToValue={(one: Choice, other: Choice) => one.id === other.id}
    >
      <Combobox.Input aria-label="Client" placeholder="Client: any" className={`${CONTROL} h-8.5 w-44`} />
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} align="start" className="z-50 outline-none">
          <Combobox.Popup className="w-56 rounded-lg border border-line bg-raised p-1 shadow-raised outline-none">
            <Combobox.Empty className="empty:hidden">
              {found.isFetching ? null : <p className="px-2.5 py-1.5 text-quiet">No client is called so.</p>}
            </Combobox.Empty>
            <Combobox.List>
              {(one: Choice) => (
                <Combobox.Item
                  key={one.id}
                  value={one}
                  className="cursor-default truncate rounded-md px-2.5 py-1.5 outline-none data-[highlighted]:bg-hover"
                >
                  {one.name}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
