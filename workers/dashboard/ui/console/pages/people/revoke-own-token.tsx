import { consoleTokenRoutes } from "#workers/contracts/api/console/tokens.ts";
import type { ServiceToken } from "#workers/contracts/api/people/service-tokens.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useTenant } from "#workers/dashboard/ui/api/session.ts";
import { RevokeDialog } from "#workers/dashboard/ui/pages/clients/users/tokens/revoke-token.tsx";

export default function RevokeOwnToken({ token, onClose }: { token: ServiceToken; onClose: () => void }) {
  const { slug } = useTenant().client;
  const revoke = useChange(consoleTokenRoutes.revokeConsoleToken, {
    success: `Service token ${token.name} revoked`,
    onDone: onClose,
  });
  return (
    <RevokeDialog
      token={token}
      change={revoke}
      onClose={onClose}
      onSubmit={() => revoke.mutate({ params: { slug, id: token.id } })}
    />
  );
}
