import { type ServiceToken, serviceTokenRoutes } from "#workers/contracts/api/people/service-tokens.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";

export default function RevokeToken({
  token: { id, client_id, name, email },
  onClose,
}: {
  token: ServiceToken;
  onClose: () => void;
}) {
  const revoke = useChange(serviceTokenRoutes.revokeServiceToken, {
    success: `Service token ${name} revoked`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Revoke service token ${name}?`}
      about={`Programs with this token no longer reach the tenant, and all connections of the tenant reconnect. ${email} receives a mail. You cannot undo this, but you can create another token.`}
      action="Revoke token"
      danger
      change={revoke}
      onSubmit={() => revoke.mutate({ params: { client_id, id } })}
    />
  );
}
