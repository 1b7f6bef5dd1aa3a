import { fileURLToPath } from "node:url";
import { startTestDatabase } from "./testing/test-database.ts";
import { generateTypes } from "./type-generation.ts";

const database = await startTestDatabase();
try {
  const output = fileURLToPath(new URL("types.ts", import.meta.url));
  await generateTypes(database.url, output, process.argv.includes("--verify"));
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 1;
} finally {
  await database.stop();
}
