import { ArchiveRestore, ArchiveX, Pencil, Star, StarOff } from "lucide-react";
import { Badge } from "#workers/dashboard/ui/kit/badge.tsx";
import { ActionsMenu } from "#workers/dashboard/ui/kit/menu/menu.tsx";
import type { MenuItem } from "#workers/dashboard/ui/kit/menu/menu-list.tsx";

export interface EntryChange {
  withdrawn?: boolean | undefined;
  default?: boolean | undefined;
}

interface EntryMenuProps {
  name: string;
  entry: CatalogueEntry;
  onChange: (change: EntryChange) => void;
  onNote?: () => void;
  busy: boolean;
}

export function EntryMenu({ name, entry, onChange, onNote, busy }: EntryMenuProps) {
  const isWithdrawn = entry.withdrawn_at !== null;
  const items: MenuItem[] = [
    ...(entry.default
      ? [
          {
            name: "Stop using for new tenants",
            icon: <StarOff aria-hidden="true" />,
            onSelect: () => onChange({ default: false }),
          },
        ]
      : []),
    ...(!entry.default && !isWithdrawn
      ? [
          {
            name: "Use for new tenants",
            icon: <Star aria-hidden="true" />,
            onSelect: () => onChange({ default: true }),
          },
        ]
      : []),
    ...(onNote === undefined ? [] : [{ name: "Edit notes", icon: <Pencil aria-hidden="true" />, onSelect: onNote }]),
  ];
  const end: MenuItem = isWithdrawn
    ? {
        name: "Restore version",
        icon: <ArchiveRestore aria-hidden="true" />,
        onSelect: () => onChange({ withdrawn: false }),
      }
    : {
        name: "Withdraw version",
        about: "No other tenant gets it. Tenants that have it keep it.",
        icon: <ArchiveX aria-hidden="true" />,
        danger: true,
        onSelect: () => onChange({ withdrawn: true }),
      };
  return <ActionsMenu of={name} busy={busy} groups={[items, [end]]} />;
}

interface CatalogueEntry {
  default: boolean;
  withdrawn_at: string | null;
}

export function EntryState({ default: isDefault, withdrawn_at }: CatalogueEntry) {
  if (withdrawn_at !== null) return <Badge>Withdrawn</Badge>;
  return isDefault ? <Badge tone="good">New tenants</Badge> : <Badge tone="info">Available</Badge>;
}
