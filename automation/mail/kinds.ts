import type { MailKind } from "./kind.ts";
import { deletionNotice } from "./kinds/deletion-notice.ts";
import { erasureCertificateMail } from "./kinds/erasure-certificate.ts";
import { invitation } from "./kinds/invitation.ts";
import { maintenance } from "./kinds/maintenance.ts";
import { notification } from "./kinds/notification.ts";
import { serviceTokenNotice } from "./kinds/service-token.ts";
import { webhookDisabled } from "./kinds/webhook-disabled.ts";

const kinds: readonly MailKind[] = [
  invitation,
  maintenance,
  notification,
  serviceTokenNotice,
  webhookDisabled,
  deletionNotice,
  erasureCertificateMail,
];

export const mailKinds: ReadonlyMap<string, MailKind> = new Map(kinds.map((kind) => [kind.name, kind]));
