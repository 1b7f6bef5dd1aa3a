import type { Child } from "hono/jsx";
import type { ErrorCode } from "#domain/errors/codes.ts";
import type { Brand } from "#workers/contracts/brand.ts";
import type { FrameProps } from "#workers/shared/page/frame.tsx";
import { Contact, LogOut, RetryLink } from "#workers/shared/page/links.tsx";
import { MessagePage } from "#workers/shared/page/message.tsx";

const BACKUPS_PATH = "/api/admin/gateway/backups";

export interface RefusalPageProps {
  code: ErrorCode;
  message: string;
  /** Seconds. */
  wait: number | undefined;
  /** Hostname and port of the request. */
  host: string | undefined;
  brand: Brand;
  user: string | undefined;
  nonce: string;
}

interface Content extends Pick<FrameProps, "title" | "icon"> {
  /** Default: `info`. */
  tone?: FrameProps["tone"];
  /** Default: `message`. */
  lead?: Child;
  next: readonly Child[];
  actions?: Child;
}

export function refusalPage(props: RefusalPageProps) {
  const { brand, nonce, user, message } = props;
  return <MessagePage tone="info" lead={message} {...contentOf(props)} brand={brand} nonce={nonce} user={user} />;
}

function contentOf(props: RefusalPageProps): Content {
  const { code, host, brand, user } = props;
  const operator = <Contact brand={brand} otherwise="your operator" />;
  const administrator = <Contact brand={brand} otherwise="its administrator" />;
  switch (code) {
    case "instance_frozen":
      return {
        title: "This tenant is frozen",
        icon: "frozen",
        lead: "Its operator has paused it. Agents and data are kept. Nobody can use it until the operator resumes it.",
        next: [
          <>Ask {operator} to resume it.</>,
          <>
            Administrators of the tenant can still download its <a href={BACKUPS_PATH}>backups</a>.
          </>,
        ],
      };
    case "instance_stopped":
      return {
        title: "This tenant is stopped",
        icon: "stopped",
        lead: "Its operator has stopped it, so nothing runs.",
        next: [<>Ask {operator} to start it.</>],
      };
    case "client_not_active":
      return {
        title: "This tenant is not active yet",
        icon: "waiting",
        lead: "It is being prepared. Its operator has not activated it yet.",
        next: [
          "If you were invited, return when its operator says that it is ready.",
          <>Ask {operator} when it will be ready.</>,
        ],
      };
    case "access_denied":
      return {
        title: "You do not have access",
        tone: "bad",
        icon: "locked",
        lead: user === undefined ? props.message : <Denied user={user} message={props.message} />,
        next: [
          <>
            If another of your addresses was invited, log out, open {host ?? "this page"} again, and log in with that
            address.
          </>,
          <>Otherwise ask {administrator} to invite you.</>,
        ],
        actions: <LogOut button />,
      };
    case "authentication_required":
      return {
        title: "Log in to continue",
        icon: "person",
        next: [
          "Log in with the email address that was invited.",
          <>
            If this page appears again, <LogOut /> of your present login, and open the page again. Otherwise ask{" "}
            {administrator}.
          </>,
        ],
        actions: <RetryLink label="Log in" />,
      };
    case "tenant_not_found":
      return {
        title: "Tenant not found",
        icon: "nothing",
        lead: host === undefined ? props.message : <>No tenant has the address {host}.</>,
        next: [
          "Check the address for typing errors.",
          "Open the link in your invitation mail, or ask the person who gave you this address.",
        ],
      };
    case "not_found":
    case "forbidden":
      return {
        title: code === "forbidden" ? "Request refused" : "Page not found",
        icon: code === "forbidden" ? "locked" : "nothing",
        next: [
          <>
            Go to the tenant's <a href="/">home page</a>.
          </>,
        ],
      };
    case "tenant_unavailable":
      return {
        title: "Temporarily unavailable",
        tone: "busy",
        icon: "waiting",
        next: [again(props), <>If this persists, contact {operator}.</>],
        actions: <RetryLink />,
      };
    case "limit_exceeded":
      return {
        title: "Too many requests",
        tone: "busy",
        icon: "waiting",
        next: [again(props), <>If this happens often, ask {operator} about the limits of the plan.</>],
        actions: <RetryLink />,
      };
    case "gateway_unavailable":
      return {
        title: "This tenant does not respond",
        tone: "bad",
        icon: "fault",
        next: [again(props), <>If this persists, contact {operator}. Include the time and what you did.</>],
        actions: <RetryLink />,
      };
    default:
      return {
        title: "Something went wrong",
        tone: "bad",
        icon: "fault",
        next: ["Try again in a moment.", <>If this persists, contact {operator}. Include the text above.</>],
        actions: <RetryLink />,
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
