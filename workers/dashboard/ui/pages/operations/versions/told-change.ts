/** Tells what became of an entry of the catalogue, with the way back from a withdrawal. */
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import type { EntryChange } from "./entry-menu.tsx";

export interface ToldChange {
  name: string;
  change: EntryChange;
  /** Whether new tenants got it before. */
  wasDefault: boolean;
  undo: (change: EntryChange) => void;
}

export function tellChange({ name, change, wasDefault, undo }: ToldChange): void {
  if (change.withdrawn === true) {
    toast({
      title: `${name} is withdrawn`,
      about: "No tenant gets it any more.",
      action: { name: "Undo", run: () => undo({ withdrawn: false, ...(wasDefault && { default: true }) }) },
    });
  } else if (change.withdrawn === false) {
    toast({ title: `${name} is offered again` });
  } else if (change.default !== undefined) {
    toast({
      title: change.default ? `New tenants get ${name}` : "New tenants get the platform's",
      action: { name: "Undo", run: () => undo({ default: !change.default }) },
    });
  }
}
