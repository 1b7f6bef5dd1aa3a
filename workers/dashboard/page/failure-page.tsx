/** The error page. */
import type { Child } from "hono/jsx";
import type { ErrorCode } from "#domain/errors/codes.ts";
import { PLATFORM_BRAND } from "#workers/contracts/brand.ts";
import type { FrameProps } from "#workers/shared/page/frame.tsx";
import { LogOut, RetryLink } from "#workers/shared/page/links.tsx";
import { MessagePage } from "#workers/shared/page/message.tsx";

export interface FailurePageProps {
  code: ErrorCode;
  message: string;
  /** E-mail address of the logged-in user, if it is shown. */
  user: string | undefined;
  /** First page of the console that the page is of; undefined for the dashboard. */
  console: string | undefined;
  nonce: string;
}

interface Words extends Pick<FrameProps, "title" | "tone" | "icon"> {
  next: readonly Child[];
  actions?: Child;
}

export function FailurePage({ code, message, user, console, nonce }: FailurePageProps) {
  const lead =
    user === undefined ? (
      message
    ) : (
      <>
        You are logged in as <strong>{user}</strong>. {message}
      </>
    );
  return <MessagePage {...wordsOf(code, console)} lead={lead} user={user} brand={PLATFORM_BRAND} nonce={nonce} />;
}

function wordsOf(code: ErrorCode, console: string | undefined): Words {
  const place = console === undefined ? "dashboard" : "console";
  const home = (
    <>
      Continue on the {place}'s <a href={console ?? "/"}>home page</a>.
    </>
  );
  switch (code) {
    case "access_denied":
      return {
        title: "You do not have access",
        tone: "bad",
        icon: "locked",
        next: ["If you have another address with access, log out, open this page again, and log in with that address."],
        actions: <LogOut button />,
      };
    case "authentication_required":
      return {
        title: "Log in",
        tone: "info",
        icon: "person",
        next: [
          console === undefined
            ? "Log in with the email address that has access to the dashboard."
            : "Log in with the email address that was invited. You then return to the console.",
          <>
            If this page appears again, <LogOut /> of your present login, and open the page again.
          </>,
        ],
        actions: <RetryLink label="Log in" to={console} />,
      };
    case "not_found":
      return { title: "Page not found", tone: "info", icon: "nothing", next: [home] };
    case "limit_exceeded":
      return {
        title: "Too many requests",
        tone: "busy",
        icon: "waiting",
        next: ["Wait a moment, then try again."],
        actions: <RetryLink />,
      };
    case "tenant_unavailable":
      return {
        title: "Temporarily unavailable",
        tone: "busy",
        icon: "waiting",
        next: ["Try again in a few seconds."],
        actions: <RetryLink />,
      };
    case "internal":
      return {
        title: "Something went wrong",
        tone: "bad",
        icon: "fault",
        next: ["Try again in a moment.", "If the error persists, send the text above to your operator."],
        actions: <RetryLink />,
      };
    default:
      return {
        title: "The request failed",
        tone: "bad",
        icon: "fault",
        next: ["Go back and correct the request.", home],
      };
  }
}
