/** Every kind of mail that is sent. */
import type { MailKind } from "./kind.ts";
import { invitation } from "./kinds/invitation.ts";

const kinds: readonly MailKind[] = [invitation];

export const mailKinds: ReadonlyMap<string, MailKind> = new Map(kinds.map((kind) => [kind.name, kind]));
