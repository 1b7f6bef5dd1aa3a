import type { MailKind } from "./kind.ts";
import { invitation } from "./kinds/invitation.ts";
import { maintenance } from "./kinds/maintenance.ts";
import { serviceTokenNotice } from "./kinds/service-token.ts";

const kinds: readonly MailKind[] = [invitation, maintenance, serviceTokenNotice];

export const mailKinds: ReadonlyMap<string, MailKind> = new Map(kinds.map((kind) => [kind.name, kind]));
