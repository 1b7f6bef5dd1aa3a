/** Follows the tutorial in a clone of the repository. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeDatabase } from "@tenantry/postgres";
import { freePort } from "@tenantry/std/free-port";
import { expect, onTestFinished, test } from "vitest";
import { localToken } from "#local/local-token.ts";
import { type EdgeFile, readEdgeFile } from "#local/state/edge-file.ts";
import { READY } from "../testing/edge-program.ts";
import { call, callUntil } from "../testing/http.ts";
import { cloneRepository, shellVariables } from "./testing/clone.ts";
import { type Ran, readPage } from "./testing/reader.ts";

/** Sends a message to the tenant's agent. @returns its reply */
async function chat(edge: EdgeFile, slug: string, email: string): Promise<string> {
  const host = `${slug}.tenantry.localhost`;
  const headers = { "cf-access-token": await localToken(edge, email, host), "content-type": "application/json" };
  const body = JSON.stringify({ text: "Hello from the tutorial" });
  const { body: reply } = await callUntil(
    () => call(edge, host, "/api/ask", { method: "POST", headers, body }),
    ({ status }) => status === 200,
  );
  return reply;
}

test("leads from a clone to a chat, and changes a tenant as code", async () => {
  const parent = mkdtempSync(join(tmpdir(), "tenantry-tutorial-"));
  const directory = join(parent, "tenantry");
  const state = join(directory, ".tenantry");
  onTestFinished(async () => {
    await removeDatabase(join(state, "postgres"));
    rmSync(parent, { recursive: true, force: true });
  });
  cloneRepository(directory);
  const settings = join(directory, "Pulumi.local.yaml");
  const ran: Ran[] = [];
  const start = `npm start -- --port ${await freePort()}`;
  await readPage({
    page: "docs/tutorial.md",
    directory,
    variables: shellVariables(parent),
    values: { "npm start": () => start },
    background: { "npm start": new RegExp(READY) },
    before: async (command) => {
      if (!command.startsWith("npm run pulumi -- preview")) return;
      expect(await chat(readEdgeFile(state), "acme", "ada@acme.example")).toContain("Hello");
      const text = readFileSync(settings, "utf8");
      writeFileSync(settings, text.replace(/(slug: hooli[\s\S]*?plan: )basic/, "$1pro"));
    },
    after: async (one) => {
      ran.push(one);
      if (one.text.startsWith("npm run pulumi -- up"))
        expect(await chat(readEdgeFile(state), "hooli", "root@tenantry.example")).toContain("Hello");
    },
  });
  expect(ran.map(({ line }) => line)).toHaveLength(4);
  expect(ran.at(-2)?.output).toContain("plan basic → pro");
  expect(ran[1]?.output).toContain("apiToken");
});
