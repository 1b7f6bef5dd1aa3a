import { KEY_PROVIDERS } from "#domain/provider-keys/providers.ts";
import { type ProviderKey, providerKeyRoutes } from "#workers/contracts/api/tenants/provider-keys.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";

interface DeleteKeyProps {
  providerKey: ProviderKey;
  onClose: () => void;
}

export default function DeleteKey({ providerKey: { instance_id, provider }, onClose }: DeleteKeyProps) {
  const { label } = KEY_PROVIDERS[provider];
  const remove = useChange(providerKeyRoutes.deleteProviderKey, {
    success: `Key for ${label} deleted`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete key for ${label}?`}
      about={`Further calls to ${label} use the platform's key, if it has one, and are charged to the client. To undo this, store the key again.`}
      action="Delete key"
      danger
      change={remove}
      onSubmit={() => remove.mutate({ params: { instance_id, provider } })}
    />
  );
}
