/** What a person reads whose request the dashboard's Worker could not answer. Pure, of its props alone. */
import type { Child } from "hono/jsx";
import { PLATFORM_BRAND } from "#workers/contracts/brand.ts";
import type { ErrorCode } from "#workers/contracts/errors.ts";
import type { FrameProps } from "#workers/shared/page/frame.tsx";
import { Again, LogOut } from "#workers/shared/page/links.tsx";
import { MessagePage } from "#workers/shared/page/message.tsx";

export interface FailurePageProps {
  code: ErrorCode;
  /** What programs are told. */
  message: string;
  /** E-mail address of who is logged in, where that is told. */
  user: string | undefined;
  nonce: string;
}

interface Words extends Pick<FrameProps, "title" | "tone" | "icon"> {
  next: readonly Child[];
  actions?: Child;
}

export function FailurePage({ code, message, user, nonce }: FailurePageProps) {
  const lead =
    user === undefined ? (
      message
    ) : (
      <>
        You are logged in as <strong>{user}</strong>. {message}
      </>
    );
  return <MessagePage {...wordsOf(code)} lead={lead} user={user} brand={PLATFORM_BRAND} nonce={nonce} />;
}

const HOME = (
  <>
    Go on from the dashboard's <a href="/">first page</a>.
  </>
);

function wordsOf(code: ErrorCode): Words {
  switch (code) {
    case "access_denied":
      return {
        title: "You have no access here",
        tone: "bad",
        icon: "locked",
        next: ["If another address of yours is a user here, log out, open this page again, and log in with that one."],
        actions: <LogOut button />,
      };
    case "authentication_required":
      return {
        title: "Please log in",
        tone: "info",
        icon: "person",
        next: [
          "Log in with the e-mail address that is a user here.",
          "If you come back here each time, log out first.",
        ],
        actions: (
          <>
            <Again label="Log in" />
            <LogOut button />
          </>
        ),
      };
    case "not_found":
      return { title: "There is nothing here", tone: "info", icon: "nothing", next: [HOME] };
    case "limit_exceeded":
      return {
        title: "Too much at once",
        tone: "busy",
        icon: "waiting",
        next: ["Wait a moment, then try again."],
        actions: <Again />,
      };
    case "tenant_unavailable":
      return {
        title: "Back in a moment",
        tone: "busy",
        icon: "waiting",
        next: ["Try again in a few seconds."],
        actions: <Again />,
      };
    case "internal":
      return {
        title: "Something went wrong",
        tone: "bad",
        icon: "fault",
        next: ["Try again in a moment.", "If it stays like this, tell a platform root, with the text above."],
        actions: <Again />,
      };
    default:
      return {
        title: "This cannot be done",
        tone: "bad",
        icon: "fault",
        next: ["Go back, and try it another way.", HOME],
      };
  }
}
