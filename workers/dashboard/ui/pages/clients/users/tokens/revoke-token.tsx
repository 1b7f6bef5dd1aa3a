import type { ComponentProps } from "react";
import { type ServiceToken, serviceTokenRoutes } from "#workers/contracts/api/people/service-tokens.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";

interface RevokeTokenProps {
  token: ServiceToken;
  onClose: () => void;
}

export default function RevokeToken({ token, onClose }: RevokeTokenProps) {
  const { id, client_id, name } = token;
  const revoke = useChange(serviceTokenRoutes.revokeServiceToken, {
    success: `Service token ${name} revoked`,
    onDone: onClose,
  });
  return (
    <RevokeDialog
      token={token}
      change={revoke}
      onClose={onClose}
      onSubmit={() => revoke.mutate({ params: { client_id, id } })}
    />
  );
}

type RevokeDialogProps = RevokeTokenProps & Pick<ComponentProps<typeof ConfirmDialog>, "change" | "onSubmit">;

export const RevokeDialog = ({ token: { name, email }, ...dialog }: RevokeDialogProps) => (
  <ConfirmDialog
    {...dialog}
    title={`Revoke service token ${name}?`}
    about={`Programs with this token no longer reach the agent, and all connections to the agent reconnect. ${email} receives a mail. You cannot undo this, but you can create another token.`}
    action="Revoke token"
    danger
  />
);
