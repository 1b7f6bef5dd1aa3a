import { expect, test } from "vitest";
import { errorBody } from "#workers/contracts/errors.ts";
import { jsonLines } from "./json-lines.ts";

/** Pages of `size` numbers, from 1 to `count`, with the requested cursors. */
function numbers(count: number, size: number) {
  const asked: number[] = [];
  const page = (after: number) =>
    Array.from({ length: Math.max(0, Math.min(size, count - after)) }, (_, index) => after + index + 1);
  const next = async (last: number) => {
    asked.push(last);
    return page(last);
  };
  return { asked, stream: jsonLines(page(0), next) };
}

test("writes every entry as one line in order, and marks the complete list in the last line", async () => {
  for (const count of [0, 1, 3, 4, 10]) {
    const text = await new Response(numbers(count, 3).stream).text();
    const entries = Array.from({ length: count }, (_, index) => `${index + 1}\n`).join("");
    expect(text).toBe(`${entries}{"end":{"entries":${count}}}\n`);
  }
});

test("reads one page ahead, and stops for a slow or disconnected reader", async () => {
  const { asked, stream } = numbers(100, 3);
  const reader = stream.getReader();
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  expect(asked).toEqual([]);
  await reader.read();
  await turn();
  expect(asked).toEqual([3]);
  await reader.read();
  await turn();
  expect(asked).toEqual([3, 6]);
  await reader.cancel();
  await turn();
  expect(asked).toEqual([3, 6]);
});

test("ends with an error line and fails when a page fails", async () => {
  const away = Object.assign(new Error("terminating connection"), { code: "57P01", severity: "FATAL" });
  const reader = jsonLines([1], () => Promise.reject(away)).getReader();
  const line = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await line()).toBe("1\n");
  expect(errorBody.parse(JSON.parse(await line())).error.code).toBe("tenant_unavailable");
  await expect(reader.read()).rejects.toThrow("The database is not available");
});
