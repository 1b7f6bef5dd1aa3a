/** What a person reads when the gateway was asked and did not answer as it should. Pure, of its props alone. */
import type { ErrorCode } from "#workers/contracts/errors.ts";
import { Again, Asked } from "#workers/shared/page/links.tsx";
import { MessagePage } from "#workers/shared/page/message.tsx";
import { LogLine } from "./log-line.tsx";
import type { Visitor } from "./visitor.ts";

const TITLES: Partial<Record<ErrorCode, string>> = {
  gateway_timeout: "The gateway takes too long",
  gateway_unavailable: "The gateway broke off",
};

export interface FailurePageProps extends Visitor {
  code: ErrorCode;
  /** What programs are told. */
  message: string;
  nonce: string;
}

export function FailurePage({ code, message, brand, user, isAdministrator, nonce }: FailurePageProps) {
  const administrator = <Asked brand={brand} otherwise="an administrator of this tenant" />;
  return (
    <MessagePage
      title={TITLES[code] ?? "Something went wrong"}
      tone="bad"
      icon="fault"
      lead={message}
      next={[
        "Try again in a moment.",
        isAdministrator ? <LogLine /> : <>If it stays like this, tell {administrator}, with the time.</>,
      ]}
      actions={<Again />}
      brand={brand}
      user={user}
      nonce={nonce}
    />
  );
}
