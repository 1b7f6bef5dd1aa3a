import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Partner, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useSeenVersion } from "#workers/dashboard/ui/api/seen-version.ts";
import { Button, ButtonLink } from "#workers/dashboard/ui/kit/button.tsx";
import { ConfirmDialog, Dialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { DependentList, type Dependents, dependentsOf } from "./dependents.tsx";

interface DeletePartnerProps {
  partner: Partner;
  onClose: () => void;
}

/** Deletes a partner on which nothing hangs; else shows what does, and asks again. */
export default function DeletePartner({ partner, onClose }: DeletePartnerProps) {
  const { id, slug, name } = partner;
  const navigate = useNavigate();
  const [found, setFound] = useState<Dependents>();
  const [version, readAnew] = useSeenVersion(partner.version, partnerRoutes.deletePartner.tag);
  const remove = useChange(partnerRoutes.deletePartner, {
    also: ["users"],
    leaves: true,
    onDone: () => {
      onClose();
      toast({ title: `${name} is deleted` });
      void navigate({ to: "/partners" });
    },
    onFailed: (error) => setFound((before) => dependentsOf(error) ?? before),
  });
  const clients = Math.max(partner.clients, found?.clients ?? 0);
  if (clients > 0) return <HasClients partner={partner} clients={clients} onClose={onClose} />;
  const dialog = {
    open: true,
    onClose,
    danger: true,
    busy: remove.isPending,
    error: dependentsOf(remove.error) === undefined ? remove.error : undefined,
    onReadAnew: () => void readAnew().then(remove.reset),
  };
  return found === undefined ? (
    <ConfirmDialog
      {...dialog}
      title={`Delete ${name}?`}
      about="If people or hosts hang on it, you are shown them first, and nothing is deleted yet."
      action="Delete"
      onSubmit={() => remove.mutate({ params: { id }, version })}
    />
  ) : (
    <ConfirmDialog
      {...dialog}
      // Not the button of before: who presses it twice has read nothing.
      key="with all"
      title={`Delete ${name} with all of this?`}
      about="It cannot be had back."
      action="Delete all of it"
      typed={slug}
      onSubmit={() => remove.mutate({ params: { id }, query: { cascade: "true" }, version })}
    >
      <DependentList found={found} />
    </ConfirmDialog>
  );
}

function HasClients({ partner, clients, onClose }: DeletePartnerProps & { clients: number }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${partner.name} has ${formatNumber(clients)} ${clients === 1 ? "client" : "clients"}`}
      about="A partner with clients is not deleted: give them to another partner, or delete them first."
    >
      <footer className="flex justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
        <ButtonLink to="/clients" search={{ partner: partner.id }} look="primary">
          Show its clients
        </ButtonLink>
      </footer>
    </Dialog>
  );
}
