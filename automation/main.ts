/** The automation service's process: `node automation/main.ts`, told all by variables (`settings.ts`), until SIGTERM or SIGINT. */
import { lineLog } from "./log.ts";
import { startService } from "./service.ts";
import { readSettings, SettingsError } from "./settings.ts";
import { reasonOf } from "./task.ts";

/** Longer than the service takes by itself: only what hangs is cut off. */
const END_MS = 30_000;

const log = lineLog();
// Whoever read the lines may be gone first.
process.stdout.on("error", () => undefined);

const ended = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => ended.abort());
// Where another program has started this one by a channel, it ends with that program.
if (process.channel !== undefined) process.once("disconnect", () => ended.abort());

try {
  const settings = readSettings(process.env);
  const service = await startService(settings, log);
  log("info", "ready", { environment: settings.ENVIRONMENT, health: service.healthUrl });
  const asked = new Promise<"asked">((resolve) => {
    if (ended.signal.aborted) resolve("asked");
    ended.signal.addEventListener("abort", () => resolve("asked"), { once: true });
  });
  const why = await Promise.race([asked, service.ended]);
  log("info", "ending", { asked: why === "asked" });
  setTimeout(() => process.exit(1), END_MS).unref();
  await service.stop();
  log("info", "ended");
  // Workers that end by themselves are a failure: whoever supervises this process starts it again.
  process.exit(why === "asked" ? 0 : 1);
} catch (error) {
  // Remedies hold what addresses look like, which the log would take out.
  if (error instanceof SettingsError) process.stderr.write(`${error.message}\n`);
  else log("error", "not_started", { cause: reasonOf(error) });
  process.exit(1);
}
