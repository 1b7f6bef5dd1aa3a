import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../kit/button.tsx";

export default function Drawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade lg:hidden" />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-50 flex w-64 flex-col border-r border-line bg-card outline-none lg:hidden">
          <Dialog.Title className="sr-only">Navigation</Dialog.Title>
          {children}
          <Dialog.Close
            className="absolute top-2 right-2"
            render={<Button variant="ghost" small icon aria-label="Close" />}
          >
            <X aria-hidden="true" />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
