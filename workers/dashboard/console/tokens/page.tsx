/** The console's page of service tokens. */
import { MAX_TOKENS_OF_CLIENT } from "#domain/access/service-token.ts";
import { TENANT_USERS } from "#workers/contracts/api/route.ts";
import { Moment } from "../moment.tsx";
import type { ConsolePage } from "../page.ts";
import { SCRIPT } from "./script.ts";
import { type FoundTokens, findTokens } from "./tokens.ts";

const ROLES = { ADMIN: "Administrator", BASE_USER: "User" } as const;
const DAYS = [7, 30, 90, 180, 365] as const;
const USUAL_DAYS = 90;

const SHEET = `
.created { margin-top: 1.6rem; padding: 1rem; border: 1px solid var(--line-strong); border-radius: 0.55rem; }
.created h2 { margin-top: 0; color: var(--text); font-size: 1rem; }
.created code { display: block; margin-top: 0.2rem; padding: 0.5rem 0.6rem; border-radius: 0.4rem; background: var(--sunken); color: var(--text); }
.created .row { margin-top: 1rem; }
`;

/** A BASE_USER sees and revokes its own tokens, an ADMIN those of all users. */
export const tokensPage: ConsolePage = {
  path: "",
  label: "Service tokens",
  callers: TENANT_USERS,
  async load({ db, settings, person, tenant }) {
    const found = await findTokens(db, person);
    const canCreate = settings.SERVICE_ACCESS && settings.ENVIRONMENT !== "staging";
    return {
      title: `Service tokens of ${person.client.name}`,
      body: <Tokens {...{ found, tenant, canCreate }} email={person.email} />,
      styles: SHEET,
      script: SCRIPT,
    };
  },
};

interface TokensProps {
  found: FoundTokens;
  email: string;
  /** Address of the tenant. */
  tenant: string;
  canCreate: boolean;
}

function Tokens({ found, email, tenant, canCreate }: TokensProps) {
  const { client, tokens, users, user_id } = found;
  return (
    <>
      <p>
        A service token lets a program or device reach <a href={tenant}>{client.name}</a> without a browser, in the name
        of its user. You are <strong>{email}</strong>.
      </p>
      {canCreate ? <CreateForm found={found} tenant={tenant} /> : null}
      <Created />
      <h2>Tokens</h2>
      {tokens.length === 0 ? (
        <p>No service tokens exist.</p>
      ) : (
        <ul class="items">
          {tokens.map((token) => (
            <Token token={token} isOwn={token.client_user_id === user_id} hasOthers={users.length > 1} />
          ))}
        </ul>
      )}
      <p class="quiet">
        All users of {client.name} together can have {MAX_TOKENS_OF_CLIENT} tokens. A revoked token is refused within a
        minute, and its open connections end within seconds.
      </p>
    </>
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
        <button class="button primary" type="button" id="finish">
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
      <button
        class="button"
        type="button"
        aria-label={`Revoke token ${name}`}
        data-method="DELETE"
        data-path={`tokens/${id}`}
        data-confirm={`Revoke "${name}"? Programs with this token are refused at once. You cannot undo this.`}
        data-done={`Token "${name}" revoked.`}
      >
        Revoke token
      </button>
    </li>
  );
}
