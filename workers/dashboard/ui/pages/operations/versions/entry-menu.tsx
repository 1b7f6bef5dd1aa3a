import { ArchiveRestore, ArchiveX, EllipsisVertical, Pencil, Star, StarOff } from "lucide-react";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Menu } from "#workers/dashboard/ui/kit/menu/menu.tsx";
import type { MenuItem } from "#workers/dashboard/ui/kit/menu/menu-items.ts";
import type { CatalogueEntry } from "./entry-state.tsx";

export interface EntryChange {
  withdrawn?: boolean | undefined;
  default?: boolean | undefined;
}

export interface EntryMenuProps {
  /** Of the entry. */
  name: string;
  entry: CatalogueEntry;
  onChange: (change: EntryChange) => void;
  onNote?: () => void;
  busy: boolean;
}

/** What can be done with an entry of the catalogue now. */
export function EntryMenu({ name, entry, onChange, onNote, busy }: EntryMenuProps) {
  const isWithdrawn = entry.withdrawn_at !== null;
  const items: MenuItem[] = [];
  if (entry.default) {
    items.push({
      name: "Leave new tenants with the platform's",
      icon: <StarOff aria-hidden="true" />,
      onSelect: () => onChange({ default: false }),
    });
  } else if (!isWithdrawn) {
    items.push({
      name: "Give it to new tenants",
      icon: <Star aria-hidden="true" />,
      onSelect: () => onChange({ default: true }),
    });
  }
  if (onNote !== undefined)
    items.push({ name: "Change the note", icon: <Pencil aria-hidden="true" />, onSelect: onNote });
  const end: MenuItem = isWithdrawn
    ? {
        name: "Offer it again",
        icon: <ArchiveRestore aria-hidden="true" />,
        onSelect: () => onChange({ withdrawn: false }),
      }
    : {
        name: "Withdraw",
        about: "Nobody gets it any more; who has it keeps it.",
        icon: <ArchiveX aria-hidden="true" />,
        danger: true,
        onSelect: () => onChange({ withdrawn: true }),
      };
  return (
    <Menu
      trigger={
        <Button look="ghost" small icon busy={busy} aria-label={`What to do with ${name}`}>
          {busy ? null : <EllipsisVertical aria-hidden="true" />}
        </Button>
      }
      groups={[items, [end]]}
    />
  );
}
