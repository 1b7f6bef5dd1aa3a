import { useRef } from "react";
import { imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import type { ToastText } from "#workers/dashboard/ui/kit/toast/toast.ts";
import type { EntryChange } from "./entry-menu.tsx";

const ROUTES = { image: imageRoutes.updateImage, bundle: imageRoutes.updateWorkerBundle } as const;

interface Entry {
  id: string;
  version: number;
  default: boolean;
}

export function useEntryChange(kind: keyof typeof ROUTES, name: string, entry: Entry) {
  // Read before the request, because the event may arrive before the response.
  const wasDefault = useRef(false);
  const update = useChange(ROUTES[kind], {
    success: ({ version }, { body }) => textOf(body, name, wasDefault.current, (undo) => change(undo, version)),
    failure: `${name} was not changed`,
  });
  const change = (body: EntryChange, version = entry.version) => {
    wasDefault.current = entry.default;
    update.mutate({ params: { id: entry.id }, body, version });
  };
  return { change, isPending: update.isPending };
}

function textOf(
  change: EntryChange,
  name: string,
  wasDefault: boolean,
  undo: (change: EntryChange) => void,
): ToastText {
  if (change.withdrawn === false) return { title: `${name} restored` };
  if (change.withdrawn === true) {
    return {
      title: `${name} withdrawn`,
      about: "No other tenant gets it.",
      action: { name: "Undo", run: () => undo({ withdrawn: false, ...(wasDefault && { default: true }) }) },
    };
  }
  return {
    title: change.default ? `New tenants get ${name}` : "New tenants get the platform default",
    action: { name: "Undo", run: () => undo({ default: !change.default }) },
  };
}
