/** The page of a closed or unknown invitation. */
import type { Child } from "hono/jsx";
import { brandOf } from "#workers/contracts/brand.ts";
import type { FrameProps } from "#workers/shared/page/frame.tsx";
import { Contact } from "#workers/shared/page/links.tsx";
import { MessagePage } from "#workers/shared/page/message.tsx";
import type { PastInvitation } from "./invitation.ts";

interface Words extends Pick<FrameProps, "title" | "tone" | "icon"> {
  lead: Child;
  next: readonly Child[];
  actions?: Child;
}

/**
 * @param props.past `undefined` for an unknown link
 * @param props.address of the tenant; null unless the invitation was accepted
 */
export function PastInvitationPage(props: { past: PastInvitation | undefined; address: string | null; nonce: string }) {
  const { past, address, nonce } = props;
  const words = past === undefined ? UNKNOWN : wordsOf(past, address);
  return <MessagePage {...words} brand={brandOf(past?.partner ?? null)} nonce={nonce} />;
}

const UNKNOWN: Words = {
  title: "Invitation not found",
  tone: "info",
  icon: "nothing",
  lead: "No open invitation has this link. The link may be incomplete, or the sender has removed the invitation.",
  next: [
    "Open the link directly from the mail, or copy it completely.",
    "If you got a later mail, use its link.",
    "Otherwise ask the sender for another invitation.",
  ],
};

function wordsOf({ state, client, partner }: PastInvitation, address: string | null): Words {
  const asked = <Contact brand={brandOf(partner)} otherwise="the sender" />;
  switch (state) {
    case "accepted":
      return {
        title: "This invitation was accepted",
        tone: "good",
        icon: "done",
        lead: <>The invited email address has access to {client.name}.</>,
        next: ["Open it and log in with the invited address.", <>If you did not accept it, contact {asked}.</>],
        actions: address && (
          <a class="button primary" href={address}>
            Open {client.name}
          </a>
        ),
      };
    case "rejected":
      return {
        title: "This invitation was rejected",
        tone: "info",
        icon: "closed",
        lead: <>It gave no access to {client.name}.</>,
        next: [<>If this was a mistake, ask {asked} for another invitation.</>],
      };
    case "expired":
      return {
        title: "This invitation has expired",
        tone: "busy",
        icon: "waiting",
        lead: <>The invitation to {client.name} was not answered in time, and its link no longer works.</>,
        next: [<>Ask {asked} to resend it.</>],
      };
    case "withdrawn":
      return {
        title: "This invitation was withdrawn",
        tone: "info",
        icon: "closed",
        lead: <>The sender has withdrawn the invitation to {client.name}.</>,
        next: [<>If you think this is a mistake, ask {asked}.</>],
      };
    case "replaced":
      return {
        title: "This invitation was sent again",
        tone: "info",
        icon: "invitation",
        lead: <>A later mail invites you to {client.name}. Only the link in that mail works.</>,
        next: [
          "Open the link in the latest mail. Check the spam folder too.",
          <>If you cannot find it, ask {asked}.</>,
        ],
      };
  }
}
