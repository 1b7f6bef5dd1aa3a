/** The page for a person whose request failed at the gateway. */
import type { ErrorCode } from "#domain/errors/codes.ts";
import { Contact, RetryLink } from "#workers/shared/page/links.tsx";
import { MessagePage } from "#workers/shared/page/message.tsx";
import { LogLine } from "./log-line.tsx";
import type { Visitor } from "./visitor.ts";

const TITLES: Partial<Record<ErrorCode, string>> = {
  gateway_timeout: "The gateway did not respond in time",
  gateway_unavailable: "The connection to the gateway was lost",
};

export interface FailurePageProps extends Visitor {
  code: ErrorCode;
  message: string;
  nonce: string;
}

export function FailurePage({ code, message, brand, user, isAdministrator, nonce }: FailurePageProps) {
  const administrator = <Contact brand={brand} otherwise="an administrator of your organization" />;
  return (
    <MessagePage
      title={TITLES[code] ?? "Something went wrong"}
      tone="bad"
      icon="fault"
      lead={message}
      next={[
        "Try again in a few seconds.",
        isAdministrator ? <LogLine /> : <>If this continues, contact {administrator} and give the time of the error.</>,
      ]}
      actions={<RetryLink />}
      brand={brand}
      user={user}
      nonce={nonce}
    />
  );
}
