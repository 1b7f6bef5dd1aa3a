/** The console's page of the tenant's own keys for model providers. No key is in it. */
import {
  KEY_PROVIDERS,
  keyProviders,
  MAX_PROVIDER_KEY_LENGTH,
  PROVIDER_KEY_STATES,
} from "#domain/provider-keys/providers.ts";
import { TENANT_ADMINS } from "#workers/contracts/api/route.ts";
import type { ProviderKey } from "#workers/contracts/api/tenants/provider-keys.ts";
import { Ago, Moment } from "../moment.tsx";
import type { ConsolePage } from "../page.ts";
import { findKeys } from "./keys.ts";

const SCRIPT = `
  const { provider, key, submit } = byId("store").elements;
  byId("store").addEventListener("submit", (event) => {
    event.preventDefault();
    during(submit, async () => {
      await send("PUT", "provider-keys/" + provider.value, { key: key.value });
      key.value = "";
      reload("Key for " + provider.selectedOptions[0].textContent + " stored.");
    });
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-replace]");
    if (!button) return;
    provider.value = button.dataset.replace;
    key.value = "";
    key.focus();
  });
`;

export const providerKeysPage: ConsolePage = {
  path: "model-keys",
  label: "Model keys",
  callers: TENANT_ADMINS,
  async load({ db, person }) {
    const keys = await findKeys(db, person);
    return {
      title: `Model keys of ${person.client.name}`,
      body: <Keys keys={keys} />,
      script: SCRIPT,
    };
  },
};

function Keys({ keys }: { keys: readonly ProviderKey[] }) {
  return (
    <>
      <p>Calls to a provider with a key are paid by the owner of the key. Log, filter and spend limit still apply.</p>
      <form id="store" method="post" autocomplete="off">
        <h2>Store or replace a key</h2>
        <label>
          Provider
          <select name="provider">
            {keyProviders.map((provider) => (
              <option value={provider} selected={provider === "openai"}>
                {KEY_PROVIDERS[provider].label}
              </option>
            ))}
          </select>
        </label>
        <label>
          Key
          <input
            name="key"
            type="password"
            required
            maxlength={MAX_PROVIDER_KEY_LENGTH}
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <p class="quiet">
          The platform checks the key at the provider, and stores it encrypted. It is not shown again.
        </p>
        <div class="row">
          <button class="button primary" name="submit" type="submit">
            Store key
          </button>
        </div>
      </form>
      <h2>Keys</h2>
      {keys.length === 0 ? (
        <p>No provider keys exist. The platform pays the model providers.</p>
      ) : (
        <ul class="items">
          {keys.map((key) => (
            <Key providerKey={key} />
          ))}
        </ul>
      )}
    </>
  );
}

function Key({ providerKey }: { providerKey: ProviderKey }) {
  const { provider, key_hint, state, last_error, created_at, created_by, last_used_at } = providerKey;
  const { label } = KEY_PROVIDERS[provider];
  const [text, title] = PROVIDER_KEY_STATES[state];
  return (
    <li>
      <h3>{label}</h3>
      <dl>
        <dt>Key</dt>
        <dd>
          <code>…{key_hint}</code>
        </dd>
        <dt>State</dt>
        <dd>
          {text}: {title}
        </dd>
        {last_error === null ? null : (
          <>
            <dt>Error</dt>
            <dd>{last_error}</dd>
          </>
        )}
        <dt>Stored</dt>
        <dd>
          <Moment at={created_at} /> by {created_by === "operator" ? "an operator" : created_by}
        </dd>
        <dt>Last used</dt>
        <dd>{last_used_at === null ? "Never" : <Ago at={last_used_at} />}</dd>
      </dl>
      <div class="row">
        <button class="button" type="button" aria-label={`Replace key for ${label}`} data-replace={provider}>
          Replace key
        </button>
        <button
          class="button"
          type="button"
          aria-label={`Delete key for ${label}`}
          data-method="DELETE"
          data-path={`provider-keys/${provider}`}
          data-confirm={`Delete key for ${label}? Further calls to ${label} use the platform's key, if it has one, and are charged to the client. To undo this, store the key again.`}
          data-done={`Key for ${label} deleted.`}
        >
          Delete key
        </button>
      </div>
    </li>
  );
}
