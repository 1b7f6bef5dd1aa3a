import { Gauge, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { AiGateway } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { ActionsMenu } from "../../kit/menu/menu.tsx";

const EditEntry = lazy(() => import("./edit-entry.tsx"));
const DeleteEntry = lazy(() => import("./delete-entry.tsx"));

export function EntryMenu({ entry, onDeleted }: { entry: AiGateway; onDeleted?: () => void }) {
  const [open, setOpen] = useState<"edit" | "delete">();
  const close = () => setOpen(undefined);
  const isBound = entry.bound > 0;
  return (
    <>
      <ActionsMenu
        of={entry.gateway_id}
        groups={[
          [{ name: "Edit capacity…", icon: <Gauge aria-hidden="true" />, onSelect: () => setOpen("edit") }],
          [
            {
              name: "Remove from pool…",
              icon: <Trash2 aria-hidden="true" />,
              danger: true,
              disabled: isBound,
              about: isBound ? "In use. Move its instances first." : undefined,
              onSelect: () => setOpen("delete"),
            },
          ],
        ]}
      />
      <Suspense>
        {open === "edit" ? <EditEntry entry={entry} onClose={close} /> : null}
        {open === "delete" ? <DeleteEntry entry={entry} onClose={close} {...(onDeleted && { onDeleted })} /> : null}
      </Suspense>
    </>
  );
}
