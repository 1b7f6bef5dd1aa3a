/** What the invited sees: no script, and the partner's name, colour and logo. */
import { raw } from "hono/html";
import type { PropsWithChildren } from "hono/jsx";
import { logoAddress } from "../../contracts/logo-address.ts";
import { STYLES } from "../page/styles.ts";
import type { FoundInvitation } from "./invitation.ts";

const OWN_STYLES = `
main { max-width: 34rem; }
.logo { max-height: 2.5rem; max-width: 12rem; vertical-align: middle; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.4rem 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
form { display: flex; gap: 0.75rem; margin-top: 1.5rem; }
button, .button { padding: 0.55rem 1.1rem; border: 1px solid var(--line); border-radius: 0.4rem; background: var(--card); color: inherit; font: inherit; cursor: pointer; text-decoration: none; }
.primary { border-color: transparent; background: var(--accent, #0b57d0); color: #fff; }
button:focus-visible, .button:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
`;

type Partner = FoundInvitation["partner"];

function Frame(props: PropsWithChildren<{ title: string; nonce: string; partner: Partner }>) {
  const { title, nonce, partner } = props;
  // The one value of the partner's in the style sheet is a colour, and nothing else.
  const accent = partner?.style.colours.accent;
  const name = partner?.name ?? "Tenantry";
  const logo = partner?.logo_key ? logoAddress(partner.id, partner.logo_key) : undefined;
  return (
    <>
      {raw("<!doctype html>")}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>{`${title} · ${name}`}</title>
          <style nonce={nonce}>
            {raw(STYLES + OWN_STYLES + (accent === undefined ? "" : `:root { --accent: ${accent}; }`))}
          </style>
        </head>
        <body>
          <header>
            <span class="brand">{logo === undefined ? name : <img class="logo" src={logo} alt={name} />}</span>
          </header>
          <main>{props.children}</main>
        </body>
      </html>
    </>
  );
}

const ROLES = { ADMIN: "administrator", BASE_USER: "user" } as const;

/** An open invitation, and the form that answers it: sent to where the page is. */
export function InvitationPage({ invitation, nonce }: { invitation: FoundInvitation; nonce: string }) {
  const { client, partner, email, role, name } = invitation;
  return (
    <Frame title={`Invitation to ${client.name}`} nonce={nonce} partner={partner}>
      <h1>You are invited to {client.name}</h1>
      <p>
        {name === "" ? "Hello" : `Hello ${name}`}, {partner?.name ?? "Tenantry"} invites you to use the agents of{" "}
        {client.name}.
      </p>
      <dl>
        <dt>Address</dt>
        <dd>{email}</dd>
        <dt>Role</dt>
        <dd>{ROLES[role]}</dd>
        {invitation.expires_at === null ? null : (
          <>
            <dt>Holds until</dt>
            <dd>
              <time
                datetime={invitation.expires_at}
              >{`${invitation.expires_at.slice(0, 16).replace("T", " ")} UTC`}</time>
            </dd>
          </>
        )}
      </dl>
      <form method="post">
        <button class="primary" name="decision" value="accept" type="submit">
          Accept
        </button>
        <button name="decision" value="reject" type="submit">
          Reject
        </button>
      </form>
    </Frame>
  );
}

/** What was answered. @param props.address of the tenant, for who has accepted */
export function AnsweredPage(props: { invitation: FoundInvitation; address: string | null; nonce: string }) {
  const { invitation, address, nonce } = props;
  const { client, partner, email } = invitation;
  return (
    <Frame title={client.name} nonce={nonce} partner={partner}>
      {address === null ? (
        <>
          <h1>You rejected the invitation</h1>
          <p>
            Nothing more is sent to you, and {email} has no access to {client.name}.
          </p>
        </>
      ) : (
        <>
          <h1>Welcome to {client.name}</h1>
          <p>Log in there as {email}. It may take a minute until the door knows you.</p>
          <p>
            <a class="button primary" href={address}>
              Open {client.name}
            </a>
          </p>
        </>
      )}
    </Frame>
  );
}

/** The one answer to every token that is not open. */
export function NotOpenPage({ message, nonce }: { message: string; nonce: string }) {
  return (
    <Frame title="Invitation" nonce={nonce} partner={null}>
      <p class="notice">{message}</p>
    </Frame>
  );
}
