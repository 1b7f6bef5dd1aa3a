/** Egress secrets on the console's page of network access. No value is in it. */
import type { EgressSecret } from "#workers/contracts/api/tenants/egress.ts";
import { Moment } from "../moment.tsx";

const FIELDS = [
  { name: "name", label: "Name", value: "", maxlength: 80 },
  { name: "host", label: "Host, such as api.example.com", value: "", maxlength: 253 },
  { name: "header", label: "Header", value: "authorization", maxlength: 80 },
] as const;

export function Secrets({ secrets }: { secrets: readonly EgressSecret[] }) {
  return (
    <>
      <form id="secret" method="post" autocomplete="off">
        <h2>Store or replace a secret of a host</h2>
        <p>The platform adds it to HTTPS requests to the host, so that the agent can use a service without its key.</p>
        {FIELDS.map(({ name, label, value, maxlength }) => (
          <label>
            {label}
            <input name={name} required value={value} maxlength={maxlength} spellcheck={false} />
          </label>
        ))}
        <label>
          Text before the value
          <input name="prefix" value="Bearer " maxlength={40} spellcheck={false} />
        </label>
        <label>
          Value
          <input name="value" type="password" required maxlength={8192} autocomplete="off" spellcheck={false} />
        </label>
        <p class="quiet">The platform stores the value encrypted. It is not shown again.</p>
        <div class="row">
          <button class="button primary" name="submit" type="submit">
            Store secret
          </button>
        </div>
      </form>
      <h2>Secrets of hosts</h2>
      {secrets.length === 0 ? (
        <p>No secrets of hosts exist.</p>
      ) : (
        <ul class="items">
          {secrets.map((secret) => (
            <Secret secret={secret} />
          ))}
        </ul>
      )}
    </>
  );
}

function Secret({ secret: { id, name, host, header, created_by, created_at } }: { secret: EgressSecret }) {
  return (
    <li>
      <h3>{name}</h3>
      <dl>
        <dt>Host</dt>
        <dd>
          <code>{host}</code>
        </dd>
        <dt>Header</dt>
        <dd>
          <code>{header}</code>
        </dd>
        <dt>Stored</dt>
        <dd>
          <Moment at={created_at} /> by {created_by === "operator" ? "an operator" : created_by}
        </dd>
      </dl>
      <div class="row">
        <button
          class="button"
          type="button"
          aria-label={`Delete secret ${name}`}
          data-method="DELETE"
          data-path={`egress/secrets/${id}`}
          data-confirm={`Delete secret ${name}? Further requests to ${host} do not have it. To undo this, store it again.`}
          data-done={`Secret ${name} deleted.`}
        >
          Delete secret
        </button>
      </div>
    </li>
  );
}
