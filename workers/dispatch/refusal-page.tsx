/** What a person reads whose request the dispatch Worker refused. Pure, of its props alone. */
import type { Child } from "hono/jsx";
import type { Brand } from "#workers/contracts/brand.ts";
import type { ErrorCode } from "#workers/contracts/errors.ts";
import type { FrameProps } from "#workers/shared/page/frame.tsx";
import { Again, Asked, LogOut } from "#workers/shared/page/links.tsx";
import { MessagePage } from "#workers/shared/page/message.tsx";

const BACKUPS_PATH = "/api/admin/gateway/backups";

export interface RefusalPageProps {
  code: ErrorCode;
  /** What programs are told. */
  message: string;
  /** Seconds after which the same request may succeed. */
  wait: number | undefined;
  /** Name and port that were asked for. */
  host: string | undefined;
  brand: Brand;
  /** E-mail address of who is logged in. */
  user: string | undefined;
  nonce: string;
}

interface Words extends Pick<FrameProps, "title" | "tone" | "icon"> {
  /** Default: the message. */
  lead?: Child;
  next: readonly Child[];
  actions?: Child;
}

export function refusalPage(props: RefusalPageProps) {
  const { brand, nonce, user, message } = props;
  return <MessagePage lead={message} {...wordsOf(props)} brand={brand} nonce={nonce} user={user} />;
}

function wordsOf(props: RefusalPageProps): Words {
  const { code, host, brand, user } = props;
  const operator = <Asked brand={brand} otherwise="your operator" />;
  const administrator = <Asked brand={brand} otherwise="its administrator" />;
  switch (code) {
    case "instance_frozen":
      return {
        title: "This tenant is frozen",
        tone: "info",
        icon: "frozen",
        lead: "Its operator has paused it. Agents and data are kept as they are; until it is unfrozen nobody can use it.",
        next: [
          <>Ask {operator} to unfreeze it.</>,
          <>
            Administrators of the tenant can still take its <a href={BACKUPS_PATH}>backups</a>.
          </>,
        ],
      };
    case "instance_stopped":
      return {
        title: "This tenant is stopped",
        tone: "info",
        icon: "stopped",
        lead: "Its operator has stopped it, so nothing runs here now.",
        next: [<>Ask {operator} to start it.</>],
      };
    case "client_not_active":
      return {
        title: "This tenant is not active yet",
        tone: "info",
        icon: "waiting",
        lead: "It is being prepared, and takes no visitors before its operator activates it.",
        next: [
          "If you were invited, come back when you are told that it is ready.",
          <>Ask {operator} when that will be.</>,
        ],
      };
    case "access_denied":
      return {
        title: "You have no access here",
        tone: "bad",
        icon: "locked",
        lead: user === undefined ? props.message : <Denied user={user} message={props.message} />,
        next: [
          <>
            If another address of yours was invited, log out, open {host ?? "this page"} again, and log in with that
            one.
          </>,
          <>Otherwise ask {administrator} to invite you.</>,
        ],
        actions: <LogOut button />,
      };
    case "authentication_required":
      return {
        title: "Please log in",
        tone: "info",
        icon: "person",
        next: [
          "Log in with the e-mail address that was invited.",
          <>If you come back here each time, log out first, or ask {administrator}.</>,
        ],
        actions: (
          <>
            <Again label="Log in" />
            <LogOut button />
          </>
        ),
      };
    case "tenant_not_found":
      return {
        title: "There is no tenant here",
        tone: "info",
        icon: "nothing",
        lead: host === undefined ? props.message : <>No tenant has the address {host}.</>,
        next: [
          "Look for a typing error in the address.",
          "Open the link in the mail that invited you, or ask who gave you this address.",
        ],
      };
    case "not_found":
    case "forbidden":
      return {
        title: code === "forbidden" ? "This request is refused" : "There is nothing here",
        tone: "info",
        icon: code === "forbidden" ? "locked" : "nothing",
        next: [
          <>
            Go on from the tenant's <a href="/">first page</a>.
          </>,
        ],
      };
    case "tenant_unavailable":
      return {
        title: "Back in a moment",
        tone: "busy",
        icon: "waiting",
        next: [again(props), <>If it stays like this, tell {operator}.</>],
        actions: <Again />,
      };
    case "limit_exceeded":
      return {
        title: "Too much at once",
        tone: "busy",
        icon: "waiting",
        next: [again(props), <>If it comes often, ask {operator} about the limits of the plan.</>],
        actions: <Again />,
      };
    case "gateway_unavailable":
      return {
        title: "No answer from this tenant",
        tone: "bad",
        icon: "fault",
        next: [again(props), <>If it stays like this, tell {operator}, with the time and what you did.</>],
        actions: <Again />,
      };
    default:
      return {
        title: "Something went wrong",
        tone: "bad",
        icon: "fault",
        next: ["Try again in a moment.", <>If it stays like this, tell {operator}, with the text above.</>],
        actions: <Again />,
      };
  }
}

function Denied({ user, message }: { user: string; message: string }) {
  return (
    <>
      You are logged in as <strong>{user}</strong>. {message}
    </>
  );
}

function again({ wait = 1 }: RefusalPageProps): string {
  return wait === 1 ? "Try again in a second." : `Try again in ${wait} seconds.`;
}
