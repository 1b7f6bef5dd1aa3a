/** What who follows a link is told whose invitation is not open. Pure, of its props alone. */
import type { Child } from "hono/jsx";
import { brandOf } from "#workers/contracts/brand.ts";
import type { FrameProps } from "#workers/shared/page/frame.tsx";
import { Asked } from "#workers/shared/page/links.tsx";
import { MessagePage } from "#workers/shared/page/message.tsx";
import type { PastInvitation } from "./invitation.ts";

interface Words extends Pick<FrameProps, "title" | "tone" | "icon"> {
  lead: Child;
  next: readonly Child[];
  actions?: Child;
}

/**
 * @param props.past undefined for a link of which nothing is known
 * @param props.address of the tenant, for who has accepted
 */
export function PastInvitationPage(props: { past: PastInvitation | undefined; address: string | null; nonce: string }) {
  const { past, address, nonce } = props;
  const words = past === undefined ? UNKNOWN : wordsOf(past, address);
  return <MessagePage {...words} brand={brandOf(past?.partner ?? null)} nonce={nonce} />;
}

const UNKNOWN: Words = {
  title: "This invitation is not known",
  tone: "info",
  icon: "nothing",
  lead: "The link is not that of an open invitation. Part of it may be missing, or the invitation was taken back.",
  next: [
    "Open the link from the mail itself, or copy all of it.",
    "If there is a later mail, use the link in that one.",
    "Otherwise ask who invited you for another invitation.",
  ],
};

function wordsOf({ state, client, partner }: PastInvitation, address: string | null): Words {
  const asked = <Asked brand={brandOf(partner)} otherwise="who invited you" />;
  switch (state) {
    case "accepted":
      return {
        title: "This invitation was accepted",
        tone: "good",
        icon: "done",
        lead: <>You need it no more: {client.name} is open to the e-mail address that was invited.</>,
        next: [
          "Open it, and log in with the address that was invited.",
          <>If it was not you who accepted, tell {asked}.</>,
        ],
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
        lead: <>So nobody got access to {client.name} by it.</>,
        next: [<>If that was a mistake, ask {asked} for another invitation.</>],
      };
    case "expired":
      return {
        title: "This invitation has expired",
        tone: "busy",
        icon: "waiting",
        lead: <>The invitation to {client.name} was not answered in time, so its link holds no more.</>,
        next: [<>Ask {asked} to send it again.</>],
      };
    case "withdrawn":
      return {
        title: "This invitation was withdrawn",
        tone: "info",
        icon: "closed",
        lead: <>Whoever invited you to {client.name} has taken the invitation back.</>,
        next: [<>If you think that is a mistake, ask {asked}.</>],
      };
    case "replaced":
      return {
        title: "This invitation was sent again",
        tone: "info",
        icon: "invitation",
        lead: <>A later mail invites you to {client.name}; the link in that one holds, and this one does not.</>,
        next: [
          "Open the link in the latest mail; look among the unwanted ones too.",
          <>If there is none, ask {asked}.</>,
        ],
      };
  }
}
