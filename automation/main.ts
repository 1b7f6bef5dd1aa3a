/** Process of the automation service. It reads its environment (`settings.ts`) and runs until SIGTERM or SIGINT. */
import { lineLog } from "./log.ts";
import { startService } from "./service.ts";
import { readSettings, SettingsError } from "./settings.ts";
import { reasonOf } from "./task.ts";

/** Longer than a normal stop. */
const END_MS = 30_000;

const log = lineLog();
// The reader of the log may have ended.
process.stdout.on("error", () => undefined);

const ended = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => ended.abort());
// The service ends with a parent process that has an IPC channel to it.
if (process.channel !== undefined) process.once("disconnect", () => ended.abort());

try {
  const settings = readSettings(process.env);
  const service = await startService(settings, log);
  log("info", "ready", { environment: settings.ENVIRONMENT, health: service.healthUrl });
  const requested = new Promise<"requested">((resolve) => {
    if (ended.signal.aborted) resolve("requested");
    ended.signal.addEventListener("abort", () => resolve("requested"), { once: true });
  });
  const why = await Promise.race([requested, service.ended]);
  log("info", "ending", { asked: why === "requested" });
  setTimeout(() => process.exit(1), END_MS).unref();
  await service.stop();
  log("info", "ended");
  // Without a request, workers end because of a failure. The supervisor restarts the process.
  process.exit(why === "requested" ? 0 : 1);
} catch (error) {
  // The log would remove address-like parts of the remedies.
  if (error instanceof SettingsError) process.stderr.write(`${error.message}\n`);
  else log("error", "not_started", { cause: reasonOf(error) });
  process.exit(1);
}
