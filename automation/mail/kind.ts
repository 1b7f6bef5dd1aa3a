/** A kind of mail: one file in `kinds/`, and a line in `kinds.ts`. */
import type { Transaction } from "kysely";
import type { DB } from "#database/types.ts";
import type { Mail } from "#database/work/mails.ts";
import type { Message } from "#workers/shared/mail/content.ts";

export interface Preparation {
  /** Transaction in which the attempt is recorded, before anything is sent. */
  transaction: Transaction<DB>;
  mail: Mail;
  /** Whose mail it is, as people know them. */
  sender: string;
  /** The dashboard's origin, for links. */
  dashboardUrl: string;
}

/** What there is to send, or why nothing is any more. */
export type Prepared = { message: Message } | { dropped: string };

export interface MailKind {
  /** As in `tenantry.mails.kind`. */
  readonly name: string;
  prepare(preparation: Preparation): Promise<Prepared>;
}
