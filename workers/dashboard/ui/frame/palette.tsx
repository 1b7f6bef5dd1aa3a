import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Box, type LucideIcon } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { apiQuery } from "../api/queries.ts";
import type { Viewer } from "../api/session.ts";
import { clientAddress } from "../kit/addresses.ts";
import { paletteCommands } from "./commands.ts";
import { placesFor } from "./navigation.ts";

interface Target {
  id: string;
  name: string;
  about: string;
  run: () => void;
  icon: LucideIcon;
}

const MAX_CLIENTS = 8;

/** Finds pages and commands by a few letters at once, and clients through the API. */
export default function Palette({ onClose, viewer }: { onClose: () => void; viewer: Viewer }) {
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-raised outline-none">
          <Dialog.Title className="sr-only">Search or go to</Dialog.Title>
          <Dialog.Close className="sr-only" aria-label="Close" tabIndex={-1} />
          <PaletteList viewer={viewer} onDone={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteList({ viewer, onDone }: { viewer: Viewer; onDone: () => void }) {
  const navigate = useNavigate();
  const goTo = (to: string) => void navigate({ to });
  const [text, setText] = useState("");
  const search = useDeferredValue(text.trim());
  const clients = useQuery({
    ...apiQuery(clientRoutes.listClients, { query: { search, limit: MAX_CLIENTS } }),
    enabled: search !== "",
  });
  const wanted = text.trim().toLowerCase();
  const places = placesFor(viewer).flatMap((group) =>
    group.places.map((place) => ({ ...place, id: place.to, run: () => goTo(place.to), about: group.name })),
  );
  const commands = paletteCommands(goTo).map((command) => ({ ...command, id: command.name, about: "Command" }));
  const items: Target[] = [
    ...[...places, ...commands].filter(({ name, words = "" }) => `${name} ${words}`.toLowerCase().includes(wanted)),
    ...(wanted === "" ? [] : (clients.data?.data ?? [])).map(({ id, name, slug }) => ({
      id,
      name,
      about: slug,
      run: () => goTo(clientAddress(id)),
      icon: Box,
    })),
  ];
  return (
    <Autocomplete.Root
      inline
      open
      items={items}
      filter={null}
      autoHighlight="always"
      value={text}
      onValueChange={setText}
      itemToStringValue={(target: Target) => target.name}
    >
      <Autocomplete.Input
        aria-label="Search clients, pages and commands"
        placeholder="Search clients, pages and commands"
        className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none"
      />
      <Autocomplete.Status className="px-4 text-quiet empty:hidden">
        {clients.error === null ? null : <p className="py-3">Failed to search clients: {clients.error.message}</p>}
      </Autocomplete.Status>
      <Autocomplete.Empty className="px-4 empty:hidden">
        {clients.isFetching || clients.error !== null ? null : (
          <p className="py-6 text-center text-quiet">No matches</p>
        )}
      </Autocomplete.Empty>
      <Autocomplete.List className="max-h-[50vh] overflow-y-auto p-1.5">
        {(target: Target) => (
          <Autocomplete.Item
            key={target.id}
            value={target}
            onClick={() => {
              onDone();
              target.run();
            }}
            className="flex cursor-default items-center gap-3 rounded-md px-2.5 py-2 outline-none data-[highlighted]:bg-hover"
          >
            <target.icon aria-hidden="true" className="size-4 text-quiet" />
            <span className="flex-1 truncate">{target.name}</span>
            <span className="truncate text-xs text-quiet">{target.about}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
