/** Changes OpenClaw's version by the image, forward and back. The earlier version is another program. */
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { ADA, LiveTenant } from "./testing/live-tenant.ts";
import { PATIENCE_MS, picture } from "./testing/page.ts";
import { TelegramBot } from "./testing/telegram-bot.ts";

const NEW = process.env.TENANTRY_OPENCLAW ?? "";
const OLD = process.env.TENANTRY_OPENCLAW_BEFORE ?? "";

let directory: string;
let tenant: LiveTenant;
let bot: TelegramBot | undefined;
let images = 1;

/** The program that the gateway's command names. */
const link = () => join(directory, "openclaw");

/** Replaces the program that the next container starts. */
function install(program: string): void {
  symlinkSync(program, `${link()}.new`);
  renameSync(`${link()}.new`, link());
}

/** Deploys an image with another program. */
async function deploy(program: string): Promise<void> {
  install(program);
  images += 1;
  await tenant.deploy("basic", String(images));
}

/** Returns a program's version. */
function versionOf(program: string): string {
  const manifest = readFileSync(join(dirname(program), "package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(manifest)).version;
}

describe.skipIf(NEW === "" || OLD === "")(
  "OpenClaw of another version (TENANTRY_OPENCLAW_BEFORE names the one before)",
  () => {
    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), "openclaw-upgrade-"));
      install(OLD);
      tenant = await LiveTenant.open(link(), directory, [OLD, NEW]);
    });
    afterAll(async () => {
      bot?.api.close();
      await tenant?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    test("a newer version keeps the earlier version's data, reports that it upgraded the state, and answers messages that arrive meanwhile once and in order", async () => {
      const { page, context } = await tenant.enter(ADA);
      await tenant.say(page, "Remember the word medlar.");
      // Not by the tool, which some versions hide from everyone.
      const history = async () =>
        JSON.stringify(await tenant.ask(page, "chat.history", { sessionKey: "agent:main:main" }));
      await expect.poll(history, { timeout: PATIENCE_MS, interval: 500 }).toContain("medlar");
      // OpenClaw restarts, or ends turns, when its configuration changes.
      expect(await tenant.log()).not.toContain("config change");
      await context.close();

      bot = await TelegramBot.open(tenant);
      await bot.writeDuring(deploy(NEW), "Is anyone there?");
      await bot.answered();
      await tenant.running();
      await tenant.remembers(ADA, "medlar");
      expect(await tenant.log()).toContain(`upgrading the state from OpenClaw ${versionOf(OLD)} to ${versionOf(NEW)}`);
      const again = await tenant.enter(ADA);
      await again.page.getByText("medlar").first().waitFor();
      await tenant.say(again.page, "Remember the word sorb.");
      await picture(again.page, "upgraded");
      await tenant.remembers(ADA, "sorb");
      await again.context.close();
      // OpenClaw's doctor too.
      expect(tenant.outside()).toEqual([]);
    });

    test("an older version does not start with a newer state, names the image to return to, and is not restarted", async () => {
      expect(images, "images, of which the test above deploys the newer one").toBe(2);
      await deploy(OLD);
      const newerState = () => tenant.health((snapshot) => /newer than this image/.test(JSON.stringify(snapshot)));
      const { body } = await newerState();
      expect(body).toContain(`of openclaw ${versionOf(NEW)}, newer than this image's ${versionOf(OLD)}`);
      expect(body).toContain(`deploy an image with ${versionOf(NEW)}`);
      // Later requests get the same response, and start no gateway.
      await newerState();
      expect(tenant.gateways()).toEqual([]);

      await deploy(NEW);
      await tenant.running();
      for (const word of ["medlar", "sorb"]) await tenant.remembers(ADA, word);
      // No answer came late.
      await bot?.answered();
    });
  },
);
