import { useState } from "react";
import {
  KEY_PROVIDERS,
  type KeyProvider,
  keyProviders,
  MAX_PROVIDER_KEY_LENGTH,
} from "#domain/provider-keys/providers.ts";
import { providerKeyRoutes } from "#workers/contracts/api/tenants/provider-keys.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { SelectField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { SecretField } from "#workers/dashboard/ui/kit/form/secret-field.tsx";

const CHOICES = keyProviders.map((provider) => ({ value: provider, name: KEY_PROVIDERS[provider].label }));

interface StoreKeyProps {
  instanceId: string;
  /** Whose key is replaced. Default: a choice. */
  replaced?: KeyProvider | undefined;
  onClose: () => void;
}

/** The form does not store the key as a draft. */
export default function StoreKey({ instanceId, replaced, onClose }: StoreKeyProps) {
  const [provider, setProvider] = useState<KeyProvider>(replaced ?? "openai");
  const [key, setKey] = useState("");
  const store = useChange(providerKeyRoutes.putProviderKey, {
    success: `Key for ${KEY_PROVIDERS[provider].label} stored`,
    onDone: onClose,
  });
  const action = replaced === undefined ? "Store key" : "Replace key";
  const fault = fieldFaults(store.error).key;
  return (
    <FormDialog
      onClose={onClose}
      title={replaced === undefined ? "Store provider key" : `Replace key for ${KEY_PROVIDERS[provider].label}`}
      about="The platform checks the key at the provider, and stores it encrypted. It is not shown again."
      action={action}
      change={store}
      ready={key.trim() !== ""}
      onSubmit={() => store.mutate({ params: { instance_id: instanceId, provider }, body: { key } })}
    >
      {replaced === undefined ? (
        <SelectField
          label="Provider"
          value={provider}
          onChange={(next) => {
            setProvider(next);
            setKey("");
            store.reset();
          }}
          choices={CHOICES}
        />
      ) : null}
      <SecretField
        label="Key"
        value={key}
        onChange={setKey}
        fault={fault === undefined ? undefined : `The key ${fault}.`}
        maxLength={MAX_PROVIDER_KEY_LENGTH}
        required
      />
    </FormDialog>
  );
}
