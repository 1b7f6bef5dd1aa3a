/** All that the service does: by request, and by the clock. */
import { mailTask } from "./mail/mail.ts";
import type { Settings } from "./settings.ts";
import type { Task } from "./task.ts";

/** Runs by the clock, in UTC, each once however many replicas there are. */
export const CRONTAB = "";

export function tasksOf(settings: Settings): Task[] {
  return [mailTask(settings)];
}
