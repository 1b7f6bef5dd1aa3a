import type { MailKind } from "./kind.ts";
import { invitation } from "./kinds/invitation.ts";
import { maintenance } from "./kinds/maintenance.ts";
import { notification } from "./kinds/notification.ts";
import { serviceTokenNotice } from "./kinds/service-token.ts";
import { webhookDisabled } from "./kinds/webhook-disabled.ts";

const kinds: readonly MailKind[] = [invitation, maintenance, notification, serviceTokenNotice, webhookDisabled];

export const mailKinds: ReadonlyMap<string, MailKind> = new Map(kinds.map((kind) => [kind.name, kind]));
