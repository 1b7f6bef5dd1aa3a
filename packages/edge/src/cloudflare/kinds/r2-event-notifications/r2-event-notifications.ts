import type { Kind } from "../../kind.ts";
import { eventNotificationsApi } from "./api.ts";

export const r2EventNotifications: Kind = { api: [eventNotificationsApi], plugin: () => import("./plugin.ts") };
