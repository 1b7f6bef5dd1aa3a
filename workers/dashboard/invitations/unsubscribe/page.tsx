/** Pages that end mails of some kinds, in the partner's branding and without scripts. */
import { labelOf } from "#domain/notifications/texts.ts";
import { brandOf } from "#workers/contracts/brand.ts";
import { Frame } from "#workers/shared/page/frame.tsx";
import { MessagePage } from "#workers/shared/page/message.tsx";
import type { Subscription } from "./subscription.ts";

interface Props {
  subscription: Subscription;
  nonce: string;
}

function Kinds({ kinds }: Pick<Subscription, "kinds">) {
  return (
    <ul>
      {kinds.map((kind) => (
        <li>{labelOf(kind)}</li>
      ))}
    </ul>
  );
}

export function UnsubscribePage({ subscription: { client, kinds, partner }, nonce }: Props) {
  return (
    <Frame title="Unsubscribe" tone="info" icon="invitation" brand={brandOf(partner)} nonce={nonce}>
      <h1>Unsubscribe from mails about {client.name}</h1>
      <p>You will get no more mails of these kinds:</p>
      <Kinds kinds={kinds} />
      <form class="row" method="post">
        <button class="button primary" type="submit">
          Unsubscribe
        </button>
      </form>
    </Frame>
  );
}

export function UnsubscribedPage({ subscription: { client, kinds, partner }, nonce }: Props) {
  return (
    <Frame title="Unsubscribed" tone="good" icon="done" brand={brandOf(partner)} nonce={nonce}>
      <h1>You are unsubscribed</h1>
      <p>You get no more mails about {client.name} of these kinds:</p>
      <Kinds kinds={kinds} />
      <p class="quiet">You can turn them on again in the console of {client.name}.</p>
    </Frame>
  );
}

export function UnknownLinkPage({ nonce }: Pick<Props, "nonce">) {
  return (
    <MessagePage
      title="Link not found"
      tone="info"
      icon="nothing"
      lead="No mail has this link, or the link is too old."
      next={["Use the link of a later mail.", "Or choose your notifications in the console of your tenant."]}
      brand={brandOf(null)}
      nonce={nonce}
    />
  );
}
