import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Viewer } from "../../api/session.ts";
import { paletteCommands } from "../commands.ts";
import { placesFor } from "../navigation.ts";
import { type Result, usePaletteSearch } from "./palette-search.ts";

interface Target extends Omit<Result, "to"> {
  id: string;
  run: () => void;
}

/** Finds pages and commands by a few letters at once; clients, partners and people through the API. */
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
  const wanted = text.trim().toLowerCase();
  const { found, faults, isFetching } = usePaletteSearch(wanted, viewer);
  const matches = ({ name, words = "" }: { name: string; words?: string }) =>
    `${name} ${words}`.toLowerCase().includes(wanted);
  const places = placesFor(viewer).flatMap((group) => group.places);
  const items: Target[] = [
    ...places.filter(matches).map(({ to, ...place }) => ({ ...place, id: to, kind: "Page", run: () => goTo(to) })),
    ...paletteCommands(goTo)
      .filter(matches)
      .map((command) => ({ ...command, id: command.name, kind: "Command" })),
    ...found.map(({ to, ...result }) => ({ ...result, id: to, run: () => goTo(to) })),
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
        aria-label="Search pages, clients, partners and people"
        placeholder="Search pages, clients, partners and people"
        className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none"
      />
      <Autocomplete.Status className="px-4 text-quiet empty:hidden">
        {faults.map((fault) => (
          <p key={fault} className="py-1.5">
            {fault}
          </p>
        ))}
      </Autocomplete.Status>
      <Autocomplete.Empty className="px-4 empty:hidden">
        {isFetching || faults.length > 0 ? null : <p className="py-6 text-center text-quiet">No matches</p>}
      </Autocomplete.Empty>
      <Autocomplete.List className="max-h-[50vh] overflow-y-auto p-1.5">
        {(target: Target) => (
          <Autocomplete.Item
            key={`${target.kind} ${target.id}`}
            value={target}
            onClick={() => {
              onDone();
              target.run();
            }}
            className="flex cursor-default items-center gap-3 rounded-md px-2.5 py-2 outline-none data-[highlighted]:bg-hover"
          >
            <target.icon aria-hidden="true" className="size-4 text-quiet" />
            <span className="min-w-0 flex-1 truncate">{target.name}</span>
            {target.detail === undefined ? null : (
              <span className="min-w-0 shrink truncate text-xs text-quiet">{target.detail}</span>
            )}
            <span className="shrink-0 text-xs text-quiet">{target.kind}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
