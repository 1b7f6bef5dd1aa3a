import { join } from "node:path";
import { expect, test } from "vitest";
import { errorsDocument } from "./errors-document.ts";

const DOCUMENT = join(import.meta.dirname, "../../docs/reference/errors.md");

test("docs/reference/errors.md lists every error; `-u` writes it", async () => {
  await expect(errorsDocument()).toMatchFileSnapshot(DOCUMENT);
});
