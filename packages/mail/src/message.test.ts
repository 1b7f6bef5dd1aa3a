import { expect, test } from "vitest";
import { parseMessage } from "./message.ts";

const parse = (...lines: string[]) => parseMessage(Buffer.from(lines.join("\r\n")));

test("removes a soft line break and keeps the spaces before it", () => {
  const encoded = "Content-Transfer-Encoding: quoted-printable";
  expect(parse(encoded, "", "one =", "two=20= \t", "three=3D").text).toBe("one two three=");
});

test("reads nested parts to a maximum depth", () => {
  const opening = (depth: number) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`;
  const nested = (depth: number) => `${Array.from({ length: depth }, (_, at) => opening(at)).join("")}\r\ninside`;
  expect(parse(nested(5)).text).toBe("inside");
  expect(parse(`Subject: deep\r\n${nested(60_000)}`)).toMatchObject({ subject: "deep", text: "" });
});

test.each([
  ["spaces", ["Content-Transfer-Encoding: quoted-printable", "", " \t".repeat(2_000_000)]],
  ["encoded words", [`Subject: ${"=?a?q?b?= ".repeat(400_000)}`, "", ""]],
])("reads a message that has only %s in linear time", (_, lines) => {
  expect(parse(...lines).subject.length).toBeLessThan(10_000);
});
