import { listDeliveries } from "#database/notifications/listed.ts";
import {
  changeSettings,
  createSettings,
  findSettings,
  requestTest,
  type StoredSettings,
} from "#database/notifications/settings.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { consoleErrors } from "#domain/errors/api/console.ts";
import { notificationDelivery } from "#domain/notifications/delivery.ts";
import { completeChoices } from "#domain/notifications/kinds.ts";
import type { NotificationSettings, notificationRoutes } from "#workers/contracts/api/people/notifications.ts";
import { sealNotificationWebhook } from "#workers/shared/doors/notification-webhook.ts";
import { doorKeysOf, type Settings } from "../../env.ts";
import { pageOf } from "../../http/cursors.ts";
import { failure } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import type { Caller } from "../../identity/caller.ts";
import { requireUnchanged } from "../changed-by.ts";
import { requireClient } from "../required.ts";

const SECRET_BYTES = 32;
/** Of settings that were never changed. */
const FIRST_VERSION = 1;

export const notificationHandlers: Handlers<typeof notificationRoutes> = {
  async getNotificationSettings({ db, settings, params, caller }) {
    await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const { id, role } = await caller;
    return settingsBody(role === "ADMIN" ? await findSettings(db, id) : undefined);
  },

  async setNotificationSettings({ db, settings, params, body, caller, expected }) {
    await requireClient(db, settings.ENVIRONMENT, params.client_id);
    requireAdmin(caller);
    await createSettings(db, caller.id);
    const stored = await findSettings(db, caller.id, { lock: true });
    const version = stored?.version ?? FIRST_VERSION;
    await requireUnchanged(db, expected, { entity: "notification_settings", id: caller.id, version }, caller);
    const choices = { ...completeChoices(stored?.choices), ...body.kinds };
    const made = body.webhook ? await newWebhook(settings, caller.id, body.webhook.url) : body.webhook;
    await changeSettings(db, caller.id, { choices, webhook: made });
    return { ...settingsBody(await findSettings(db, caller.id)), webhook_secret: made?.secret ?? null };
  },

  async testNotifications({ db, settings, params, caller }) {
    await requireClient(db, settings.ENVIRONMENT, params.client_id);
    requireAdmin(caller);
    await requestTest(db);
    return { requested: true };
  },

  async listNotificationDeliveries({ db, settings, params, query }) {
    await requireClient(db, settings.ENVIRONMENT, params.client_id);
    return pageOf(query, (page) => listDeliveries(db, params.client_id, page), {
      body: (row) => bodyOf(notificationDelivery, row),
      placeOf: ({ created_text, id }) => [created_text, id],
    });
  },
};

/** @throws Failure `forbidden` for a root */
function requireAdmin({ role }: Caller): void {
  if (role !== "ADMIN") throw failure(consoleErrors.notification_settings_of_admin);
}

function settingsBody(stored: StoredSettings | undefined): NotificationSettings {
  const { webhook_host: host = null, failing_since, disabled_at } = stored ?? {};
  return {
    kinds: completeChoices(stored?.choices),
    webhook:
      host === null ? null : { host, failing_since: timeText(failing_since), disabled_at: timeText(disabled_at) },
    version: stored?.version ?? FIRST_VERSION,
  };
}

const timeText = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

async function newWebhook(settings: Settings, clientUserId: string, url: string) {
  const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64")}`;
  const sealed = await sealNotificationWebhook(doorKeysOf(settings), clientUserId, { url, secret });
  return { host: new URL(url).host, credentials: Buffer.from(sealed), secret };
}
