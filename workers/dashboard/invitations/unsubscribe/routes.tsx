/** Links that end mails of some kinds, for anyone with the token, without a login (RFC 8058). */
import { UNSUBSCRIBE_PATH } from "#domain/access/access-addresses.ts";
import type { App, AppContext } from "../../variables.ts";
import { hashToken } from "../invitation.ts";
import { UnknownLinkPage, UnsubscribedPage, UnsubscribePage } from "./page.tsx";
import { endSubscription, subscriptionOf } from "./subscription.ts";

const PATH = `${UNSUBSCRIBE_PATH}/:token` as const;

export function serveUnsubscribing(app: App): void {
  // Changes nothing, because mail scanners follow links.
  app.get(PATH, async (c) => {
    const subscription = await subscriptionOf(c.get("connection").db, await hashToken(c.req.param("token")));
    const nonce = nonceOf(c);
    return subscription === undefined
      ? c.html(<UnknownLinkPage nonce={nonce} />, 404)
      : c.html(<UnsubscribePage subscription={subscription} nonce={nonce} />);
  });

  // From the page, and from mail services, which send neither an origin nor cookies: the token alone permits it.
  app.post(PATH, async (c) => {
    const tokenHash = await hashToken(c.req.param("token"));
    const subscription = await endSubscription(c.get("connection").db, tokenHash, c.get("origin"));
    const nonce = nonceOf(c);
    return subscription === undefined
      ? c.html(<UnknownLinkPage nonce={nonce} />, 404)
      : c.html(<UnsubscribedPage subscription={subscription} nonce={nonce} />);
  });
}

const nonceOf = (c: AppContext): string => c.get("secureHeadersNonce") ?? "";
