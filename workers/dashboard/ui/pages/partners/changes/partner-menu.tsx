import { Pencil, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Partner } from "#workers/contracts/api/people/partners.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";

const EditPartner = lazy(() => import("./edit-partner.tsx"));
const DeletePartner = lazy(() => import("./delete-partner.tsx"));

export function PartnerMenu({ partner }: { partner: Partner }) {
  const [open, setOpen] = useState<"edit" | "delete">();
  const close = () => setOpen(undefined);
  return (
    <>
      <Button onClick={() => setOpen("edit")}>
        <Pencil aria-hidden="true" /> Edit partner
      </Button>
      <Button onClick={() => setOpen("delete")}>
        <Trash2 aria-hidden="true" /> Delete partner…
      </Button>
      <Suspense>
        {open === "edit" ? <EditPartner partner={partner} onClose={close} /> : null}
        {open === "delete" ? <DeletePartner partner={partner} onClose={close} /> : null}
      </Suspense>
    </>
  );
}
