import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { selectStack } from "../start/deployment.ts";
import { MAX_RUNS } from "./engine-history.ts";

test("keeps the newest runs in the state's history, which the engine can read", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tenantry-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const settings = join(directory, "settings.yaml");
  writeFileSync(settings, "config: {}");
  const nowhere = "http://127.0.0.1:1";
  const everywhere = { production: nowhere, staging: nowhere, development: nowhere };
  const target = {
    apiUrl: nowhere,
    apiToken: "token",
    restUrl: nowhere,
    serviceRoleKeys: everywhere,
    databaseUrl: "postgres://127.0.0.1/tenantry",
    aiGatewayUrl: nowhere,
    accessIssuer: nowhere,
    dispatchUrls: everywhere,
    passphrase: "passphrase",
  };
  const histories = join(directory, "pulumi/.pulumi/history/tenantry/local");
  const backups = join(directory, "pulumi/.pulumi/backups/tenantry/local");
  const select = () => selectStack({ directory, target, providersPort: 1, name: "local", settings });
  await select();
  for (const place of [histories, backups]) mkdirSync(place, { recursive: true });
  const first = 1_795_306_475_914_375_556n;
  for (let run = 0; run < MAX_RUNS + 15; run += 1) {
    const time = String(first + BigInt(run));
    const update = {
      kind: "update",
      message: `run ${run}`,
      result: "succeeded",
      startTime: run,
      endTime: run,
      config: {},
    };
    writeFileSync(join(histories, `local-${time}.history.json`), JSON.stringify(update));
    writeFileSync(join(histories, `local-${time}.history.json.attrs`), "{}");
    writeFileSync(join(histories, `local-${time}.checkpoint.json`), "{}");
    writeFileSync(join(backups, `local.${time}.json`), "{}");
  }
  writeFileSync(join(backups, "notes.txt"), "not the engine's");

  const stack = await select();
  expect(readdirSync(histories)).toHaveLength(3 * MAX_RUNS);
  expect(readdirSync(backups)).toHaveLength(MAX_RUNS + 1);
  const messages = (await stack.history(100, 1)).map(({ message }) => message);
  expect(messages).toEqual(Array.from({ length: MAX_RUNS }, (_, index) => `run ${MAX_RUNS + 14 - index}`));
});
