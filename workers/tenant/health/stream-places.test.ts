/** The limits of the health stream's listeners. */
import { expect } from "vitest";
import { CALLER_HEADER } from "#workers/contracts/platform-headers.ts";
import { eventually } from "../testing/harness.ts";
import { type Listener, listen } from "../testing/health-stream.ts";
import { test } from "../testing/test.ts";

const PLACES = 100;

test.concurrent("counts listeners of each kind separately", async ({ openTenant }) => {
  const tenant = await openTenant();
  const open: Listener[] = [];
  const url = `${tenant.url}/api/health/ws?passive=1`;
  const join = async (headers: Record<string, string> = {}): Promise<void> => {
    open.push(await listen(url, headers));
  };
  const by = (caller: string) => ({ [CALLER_HEADER]: caller });

  // A missing or unknown caller counts as anonymous.
  const strangers = [{}, by("anonymous"), by("root")];
  await Promise.all(Array.from({ length: PLACES }, (_, i) => join(strangers[i % strangers.length])));
  for (const headers of strangers) await expect(join(headers)).rejects.toThrow("503");

  for (const known of [by("user"), by("platform")]) {
    await Promise.all(Array.from({ length: PLACES }, () => join(known)));
    await expect(join(known)).rejects.toThrow("503");
  }
  await expect(join()).rejects.toThrow("503");
  await eventually(() => open.every(({ messages }) => messages.length > 0));

  await open.at(-1)?.close();
  await eventually(() =>
    join(by("platform")).then(
      () => true,
      () => false,
    ),
  );
  await expect(join(by("user"))).rejects.toThrow("503");
  await Promise.all(open.map((listener) => listener.close()));
});

test.concurrent("counts an administrator on the alias as a user", async ({ openTenant }) => {
  const tenant = await openTenant();
  const url = `${tenant.url}/api/health/ws?passive=1`;
  const strangers = await Promise.all(Array.from({ length: PLACES }, () => listen(url)));
  const alias = `${tenant.url}/api/admin/gateway/status/ws?passive=1`;
  const administrator = await listen(alias, { "X-Platform-Role": "ADMIN" });
  await eventually(() => administrator.messages.length > 0);
  await Promise.all([administrator, ...strangers].map((listener) => listener.close()));
});
