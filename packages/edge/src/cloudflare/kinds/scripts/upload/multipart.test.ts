import { describe, expect, test } from "vitest";
import { readForm, readObject } from "./multipart.ts";

async function flattened(...entries: [string, string][]): Promise<unknown> {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return readObject(form, "metadata");
}

describe("readObject", () => {
  test("starts the next element of a list at a repeated field", async () => {
    expect(
      await flattened(
        ["metadata[main_module]", "index.js"],
        ["metadata[bindings][][type]", "plain_text"],
        ["metadata[bindings][][name]", "A"],
        ["metadata[bindings][][type]", "queue"],
        ["metadata[bindings][][name]", "B"],
      ),
    ).toEqual({
      main_module: "index.js",
      bindings: [
        { type: "plain_text", name: "A" },
        { type: "queue", name: "B" },
      ],
    });
  });

  test("reads lists in elements, nested objects and booleans", async () => {
    expect(
      await flattened(
        ["metadata[migrations][steps][][new_sqlite_classes][]", "A"],
        ["metadata[migrations][steps][][new_sqlite_classes][]", "B"],
        ["metadata[observability][logs][enabled]", "true"],
        ["metadata[limits][cpu_ms]", "50"],
      ),
    ).toEqual({
      migrations: { steps: [{ new_sqlite_classes: ["A", "B"] }] },
      observability: { logs: { enabled: true } },
      limits: { cpu_ms: "50" },
    });
  });

  test("keeps a text that looks like a boolean", async () => {
    expect(await flattened(["metadata[tags][]", "true"], ["metadata[bindings][][text]", "true"])).toEqual({
      tags: ["true"],
      bindings: [{ text: "true" }],
    });
  });

  test("reads a JSON part, and returns undefined for a missing object", async () => {
    expect(await flattened(["metadata", '{"a":[1,{}]}'])).toEqual({ a: [1, {}] });
    expect(await flattened(["other", "x"])).toBeUndefined();
  });

  test("rejects invalid JSON", async () => {
    await expect(flattened(["metadata", "{"])).rejects.toMatchObject({ status: 400 });
  });
});

const bytes = (text: string) => new TextEncoder().encode(text);

describe("readForm", () => {
  const body = '--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--xyz--\r\n';
  const request = (type: string) => ({ body: bytes(body), headers: new Headers({ "Content-Type": type }) });

  test.each(["multipart/form-data; boundary=xyz", "multipart/form-data", "application/javascript"])(
    "finds the boundary where the header says %s",
    async (type) => {
      expect((await readForm(request(type))).get("a")).toBe("1");
    },
  );

  test("rejects a body that is not a form", async () => {
    const plain = { body: bytes("export default {}"), headers: new Headers() };
    await expect(readForm(plain)).rejects.toMatchObject({ status: 400, code: 10001 });
  });
});
