import { join } from "node:path";
import { expect, test } from "vitest";
import { settingsDocument } from "./settings-document.ts";

const DOCUMENT = join(import.meta.dirname, "../../docs/reference/settings.md");

test("docs/reference/settings.md lists every setting; `-u` writes it", async () => {
  await expect(settingsDocument()).toMatchFileSnapshot(DOCUMENT);
});
