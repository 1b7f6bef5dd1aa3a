/** The invitation page, with the partner's branding and without scripts. */
import { brandOf } from "#workers/contracts/brand.ts";
import { Frame } from "#workers/shared/page/frame.tsx";
import { Support } from "#workers/shared/page/links.tsx";
import type { FoundInvitation } from "./invitation.ts";

const ROLES = {
  ADMIN: "Administrator: chats with the agent, and manages it",
  BASE_USER: "Chat only: chats with the agent",
} as const;

export function InvitationPage({ invitation, nonce }: { invitation: FoundInvitation; nonce: string }) {
  const { client, email, role, name, expires_at } = invitation;
  const brand = brandOf(invitation.partner);
  return (
    <Frame title={`Invitation to ${client.name}`} tone="info" icon="invitation" brand={brand} nonce={nonce}>
      <h1>You are invited to {client.name}</h1>
      <p>
        {name === "" ? "Hello" : `Hello ${name}`}, {brand.name} invites you to use the agent of {client.name}.
      </p>
      <dl>
        <dt>Email</dt>
        <dd>{email}</dd>
        <dt>Role</dt>
        <dd>{ROLES[role]}</dd>
        {expires_at === null ? null : (
          <>
            <dt>Expires</dt>
            <dd>
              <time datetime={expires_at}>{momentOf(expires_at)}</time>
            </dd>
          </>
        )}
      </dl>
      <form class="row" method="post">
        <button class="button primary" name="decision" value="accept" type="submit">
          Accept invitation
        </button>
        <button class="button" name="decision" value="reject" type="submit">
          Reject invitation
        </button>
      </form>
      <p class="quiet">
        Accept to log in with this email address. If you reject, the address gets no access.
        {brand.support === undefined ? null : (
          <>
            {" "}
            Not sure? Ask <Support address={brand.support} />.
          </>
        )}
      </p>
    </Frame>
  );
}

/** @param props.address of the tenant; null after a rejection */
export function AnsweredPage(props: { invitation: FoundInvitation; address: string | null; nonce: string }) {
  const { invitation, address, nonce } = props;
  const { client, partner, email } = invitation;
  const brand = brandOf(partner);
  if (address === null) {
    return (
      <Frame title="Invitation rejected" tone="info" icon="closed" brand={brand} nonce={nonce}>
        <h1>You rejected the invitation</h1>
        <p>
          <strong>{email}</strong> has no access to {client.name} and gets no more mail.
        </p>
        <p>If this was a mistake, ask the sender for another invitation. You can close this page.</p>
      </Frame>
    );
  }
  return (
    <Frame title={`Welcome to ${client.name}`} tone="good" icon="done" brand={brand} nonce={nonce}>
      <h1>Welcome to {client.name}</h1>
      <p>
        Open it and log in as <strong>{email}</strong>. Access can take a minute to become active.
      </p>
      <div class="row">
        <a class="button primary" href={address}>
          Open {client.name}
        </a>
      </div>
      <p class="quiet">Address: {address}</p>
    </Frame>
  );
}

/** In UTC, because the time zone is unknown before a login. */
function momentOf(instant: string): string {
  const text = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return `${text.format(new Date(instant))} UTC`;
}
