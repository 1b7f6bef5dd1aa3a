import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Partner, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Refused } from "#workers/dashboard/ui/api/faults.ts";
import { useSeenVersion } from "#workers/dashboard/ui/api/seen-version.ts";
import { Button, ButtonLink } from "#workers/dashboard/ui/kit/button.tsx";
import { ConfirmDialog, Dialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";

interface DeletePartnerProps {
  partner: Partner;
  onClose: () => void;
}

export default function DeletePartner({ partner, onClose }: DeletePartnerProps) {
  const { id, slug, name } = partner;
  const navigate = useNavigate();
  const [found, setFound] = useState<Dependents>();
  const [version, reload] = useSeenVersion(partner.version, partnerRoutes.deletePartner.tag);
  const remove = useChange(partnerRoutes.deletePartner, {
    also: ["users"],
    leaves: true,
    success: `${name} deleted`,
    onDone: () => {
      onClose();
      void navigate({ to: "/partners" });
    },
    onFailed: (error) => setFound((before) => dependentsOf(error) ?? before),
  });
  const clients = Math.max(partner.clients, found?.clients ?? 0);
  if (clients > 0) return <HasClients partner={partner} clients={clients} onClose={onClose} />;
  const dialog = {
    onClose,
    danger: true,
    change: { ...remove, error: dependentsOf(remove.error) === undefined ? remove.error : null },
    onReload: reload,
  };
  return found === undefined ? (
    <ConfirmDialog
      {...dialog}
      title={`Delete ${name}?`}
      about="Deletes the partner, its branding and its logo. You cannot undo this. If it has users or hosts, nothing is deleted until you have reviewed them."
      action="Delete partner"
      onSubmit={() => remove.mutate({ params: { id }, version })}
    />
  ) : (
    <ConfirmDialog
      {...dialog}
      // A new key, so that a double click does not confirm unread consequences.
      key="with all"
      title={`Delete ${name} and everything below?`}
      about="Also deletes the branding and the logo. You cannot undo this."
      action="Delete everything"
      typed={slug}
      onSubmit={() => remove.mutate({ params: { id }, query: { cascade: "true" }, version })}
    >
      <DependentList found={found} />
    </ConfirmDialog>
  );
}

const HasClients = ({ partner, clients, onClose }: DeletePartnerProps & { clients: number }) => (
  <Dialog
    onClose={onClose}
    title={`${partner.name} has ${formatNumber(clients)} ${clients === 1 ? "client" : "clients"}`}
    about="A partner with clients cannot be deleted. Move them to another partner, or delete them first."
  >
    <footer className="flex justify-end gap-2">
      <Button onClick={onClose}>Close</Button>
      <ButtonLink to="/clients" search={{ partner: partner.id }} variant="primary">
        Show clients
      </ButtonLink>
    </footer>
  </Dialog>
);

import * as z from "zod";

const dependents = z.object({
  clients: z.number(),
  users: z.number(),
  dashboard_users: z.number(),
  domains: z.number(),
});
type Dependents = z.infer<typeof dependents>;

function dependentsOf(error: Error | null): Dependents | undefined {
  if (!(error instanceof Refused) || error.code !== "conflict") return undefined;
  return dependents.safeParse(error.details).data;
}

const NAMES = {
  users: ["user, with all access", "users, with all access"],
  dashboard_users: ["partner root, who can no longer log in here", "partner roots, who can no longer log in here"],
  domains: ["host", "hosts"],
} as const;

function DependentList({ found }: { found: Dependents }) {
  const lines = (["users", "dashboard_users", "domains"] as const).filter((kind) => found[kind] > 0);
  return (
    <ul className="list-disc pl-5">
      {lines.map((kind) => (
        <li key={kind}>
          {formatNumber(found[kind])} {NAMES[kind][found[kind] === 1 ? 0 : 1]}
        </li>
      ))}
    </ul>
  );
}
