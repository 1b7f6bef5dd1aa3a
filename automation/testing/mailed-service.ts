/** Services that send mails to a server of the test, with a database of the test file. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMail } from "@tenantry/mail";
import { afterAll, afterEach, beforeAll } from "vitest";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { startTestService } from "./test-service.ts";

export interface Received {
  subject: string;
  text: string;
  html: string;
  to: string[];
  from: string;
}

/** Starts database and mail server before the tests of the file that calls it. */
export function useMailedService() {
  let database: TestDatabase;
  let mail: Awaited<ReturnType<typeof startMail>>;
  let directory: string;
  const endings: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    database = await startTestDatabase();
    directory = await mkdtemp(join(tmpdir(), "tenantry-mail-"));
    mail = await startMail({ directory, log: () => undefined });
  });
  afterEach(async () => {
    for (const end of endings.splice(0).toReversed()) await end();
  });
  afterAll(async () => {
    await mail.stop();
    await database.stop();
    await rm(directory, { recursive: true });
  });
  return {
    /** Carried out after the test, the last one first. */
    endings,
    database: () => database,
    mail: () => mail,
    async service(changed: Record<string, string> = {}) {
      const started = await startTestService(database, { SMTP_URL: mail.smtpUrl, ...changed });
      endings.push(() => started.stop());
      return started;
    },
    async received(recipient: string): Promise<Received[]> {
      const { messages } = await (await mail.app.request("/")).json();
      const own = messages.filter(({ to }: Received) => to.includes(recipient));
      return Promise.all(own.map(async ({ id }: { id: string }) => (await mail.app.request(`/${id}`)).json()));
    },
  };
}
