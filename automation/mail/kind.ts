import type { Transaction } from "kysely";
import type { DB } from "#database/types.ts";
import type { Mail } from "#database/work/mails.ts";
import type { Fault } from "#domain/errors/catalogue-error.ts";
import { headerText, type Message } from "#workers/shared/mail/content.ts";

export interface Preparation {
  /** Transaction that records the attempt before anything is sent. */
  transaction: Transaction<DB>;
  mail: Mail;
  sender: string;
  dashboardUrl: string;
  /** Parent domain of tenants' hosts. */
  platformDomain: string;
  /** Returns the address of a tenant's host. */
  tenantUrl: (slug: string) => string;
}

/** The first paragraph of a mail to a person. */
export const greeting = ({ user_name: name }: Pick<Mail, "user_name">): string =>
  name ? `Hello ${headerText(name)},` : "Hello,";

/** The message, or why none is sent. */
export type Prepared = { message: Message } | { dropped: Fault };

/** A kind of mail: one file in `kinds/`, and a line in `kinds.ts`. */
export interface MailKind {
  /** As in `tenantry.mails.kind`. */
  readonly name: string;
  prepare(preparation: Preparation): Promise<Prepared>;
}
