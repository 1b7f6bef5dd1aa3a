import { expect, test } from "vitest";
import { clientFiles } from "./api-client.ts";

test("the client package has the types and operations of the OpenAPI document (`npm run client:generate` writes them)", async () => {
  for (const [file, text] of Object.entries(await clientFiles())) await expect(text).toMatchFileSnapshot(file);
});
