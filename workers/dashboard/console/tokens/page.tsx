/** The console's page of service tokens. */
import { MAX_TOKENS_OF_CLIENT } from "#domain/access/service-token.ts";
import type { Brand } from "#workers/contracts/brand.ts";
import { Frame } from "#workers/shared/page/frame.tsx";
import { SCRIPT } from "./script.ts";
import type { FoundTokens } from "./tokens.ts";

const ROLES = { ADMIN: "Administrator", BASE_USER: "User" } as const;
const DAYS = [7, 30, 90, 180, 365] as const;
const USUAL_DAYS = 90;

const SHEET = `
form { margin-top: 0.75rem; }
label { display: block; margin-top: 0.9rem; color: var(--text); font-weight: 550; }
input, select { display: block; width: 100%; min-height: 2.75rem; margin-top: 0.3rem; padding: 0.45rem 0.7rem; border: 1px solid var(--line-strong); border-radius: 0.55rem; background: var(--card); color: var(--text); font: inherit; font-weight: 400; }
h3 { margin: 0; font-size: 1rem; font-weight: 600; }
.tokens { margin: 0; padding: 0; list-style: none; }
.tokens li { padding: 1rem 0; border-top: 1px solid var(--line); }
.tokens dl { margin: 0.6rem 0 0.9rem; padding: 0; border: 0; gap: 0.15rem 1.25rem; }
.fault { padding: 0.7rem 0.9rem; border-radius: 0.55rem; background: var(--bad-soft); color: var(--bad); }
.created { margin-top: 1.6rem; padding: 1rem; border: 1px solid var(--line-strong); border-radius: 0.55rem; }
.created h2 { margin-top: 0; color: var(--text); font-size: 1rem; }
.created code { display: block; margin-top: 0.2rem; padding: 0.5rem 0.6rem; border-radius: 0.4rem; background: var(--sunken); color: var(--text); }
.created .row { margin-top: 1rem; }
`;

interface PageProps {
  found: FoundTokens;
  email: string;
  /** Address of the tenant. */
  tenant: string;
  /** Path of the API's tokens. */
  path: string;
  canCreate: boolean;
  brand: Brand;
  nonce: string;
}

export function TokensPage({ found, email, tenant, path, canCreate, brand, nonce }: PageProps) {
  const { client, tokens, users, user_id } = found;
  const title = `Service tokens of ${client.name}`;
  return (
    <Frame title={title} tone="info" icon="locked" brand={brand} nonce={nonce} styles={SHEET} script={SCRIPT}>
      <div data-tokens={path}>
        <h1>{title}</h1>
        <p>
          A service token lets a program or device reach <a href={tenant}>{client.name}</a> without a browser, in the
          name of its user. You are <strong>{email}</strong>.
        </p>
        <p class="fault" id="fault" role="alert" tabindex={-1} hidden />
        {canCreate ? <CreateForm found={found} tenant={tenant} /> : null}
        <Created />
        <h2>Tokens</h2>
        {tokens.length === 0 ? (
          <p>No service tokens exist.</p>
        ) : (
          <ul class="tokens">
            {tokens.map((token) => (
              <Token token={token} isOwn={token.client_user_id === user_id} hasOthers={users.length > 1} />
            ))}
          </ul>
        )}
        <p class="quiet">
          All users of {client.name} together can have {MAX_TOKENS_OF_CLIENT} tokens. A revoked token is refused within
          a minute, and its open connections end within seconds.
        </p>
      </div>
    </Frame>
  );
}

function CreateForm({ found: { users, user_id }, tenant }: { found: FoundTokens; tenant: string }) {
  const own = users.find(({ id }) => id === user_id);
  return (
    <form id="create" data-id={crypto.randomUUID()} data-url={tenant}>
      <h2>New token</h2>
      <label>
        Name
        <input name="name" required maxlength={100} autocomplete="off" placeholder="Laptop" />
      </label>
      {users.length > 1 ? (
        <label>
          For
          <select name="user">
            {users.map(({ id, email, role }) => (
              <option value={id} data-role={role} selected={id === user_id}>
                {email}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <input type="hidden" name="user" value={user_id} data-role={own?.role} />
      )}
      <label>
        Role
        <select name="role">
          <option value="BASE_USER">{ROLES.BASE_USER}</option>
          {users.some(({ role }) => role === "ADMIN") ? <option value="ADMIN">{ROLES.ADMIN}</option> : null}
        </select>
      </label>
      <label>
        Expires after
        <select name="days">
          {DAYS.map((days) => (
            <option value={String(days)} selected={days === USUAL_DAYS}>
              {days} days
            </option>
          ))}
        </select>
      </label>
      <div class="row">
        <button class="button primary" name="submit" type="submit">
          Create token
        </button>
      </div>
    </form>
  );
}

function Created() {
  return (
    <section class="created" id="created" aria-labelledby="created-title" hidden>
      <h2 id="created-title" tabindex={-1}>
        Token created
      </h2>
      <p>Copy the secret now. It is not shown again.</p>
      <p>
        Client ID <code id="client-id" />
      </p>
      <p>
        Secret <code id="secret" />
      </p>
      <p>
        Command to try it <code id="command" />
      </p>
      <div class="row">
        <button class="button" type="button" data-copy="client-id">
          Copy client ID
        </button>
        <button class="button" type="button" data-copy="secret">
          Copy secret
        </button>
        <button class="button" type="button" data-copy="command">
          Copy command
        </button>
        <button class="button primary" type="button" id="done">
          Done
        </button>
      </div>
      <p class="quiet" id="copied" role="status" />
    </section>
  );
}

function Token(props: { token: FoundTokens["tokens"][number]; isOwn: boolean; hasOthers: boolean }) {
  const { id, name, email, role, created_by, expires_at, last_used_at } = props.token;
  const hasExpired = Date.parse(expires_at) <= Date.now();
  return (
    <li>
      <h3>{name}</h3>
      <dl>
        {props.hasOthers ? (
          <>
            <dt>User</dt>
            <dd>{props.isOwn ? `${email} (you)` : email}</dd>
          </>
        ) : null}
        <dt>Role</dt>
        <dd>{ROLES[role]}</dd>
        <dt>Last used</dt>
        <dd>{last_used_at === null ? "Never" : <Moment at={last_used_at} />}</dd>
        <dt>{hasExpired ? "Expired" : "Expires"}</dt>
        <dd>
          <Moment at={expires_at} />
        </dd>
        {created_by === email ? null : (
          <>
            <dt>Created by</dt>
            <dd>{created_by === "operator" ? "An operator" : created_by}</dd>
          </>
        )}
      </dl>
      <button class="button" type="button" data-revoke={id} data-name={name} aria-label={`Revoke token ${name}`}>
        Revoke token
      </button>
    </li>
  );
}

/** In UTC, because the page does not know the time zone. */
function Moment({ at }: { at: string }) {
  const text = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return <time datetime={at}>{text.format(new Date(at))} UTC</time>;
}
