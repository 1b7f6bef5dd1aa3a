import { expect, test } from "vitest";
import { parseMessage } from "./message.ts";

const parse = (...lines: string[]) => parseMessage(Buffer.from(lines.join("\r\n")));

test("a soft line break goes, and the spaces before it stay", () => {
  const encoded = "Content-Transfer-Encoding: quoted-printable";
  expect(parse(encoded, "", "one =", "two=20= \t", "three=3D").text).toBe("one two three=");
});

test("parts nested without end are read to a bounded depth", () => {
  const opening = (depth: number) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`;
  const nested = (depth: number) => `${Array.from({ length: depth }, (_, at) => opening(at)).join("")}\r\ninside`;
  expect(parse(nested(5)).text).toBe("inside");
  expect(parse(`Subject: deep\r\n${nested(60_000)}`)).toMatchObject({ subject: "deep", text: "" });
});

test.each([
  ["spaces", ["Content-Transfer-Encoding: quoted-printable", "", " \t".repeat(2_000_000)]],
  ["encoded words", [`Subject: ${"=?a?q?b?= ".repeat(400_000)}`, "", ""]],
])("a message of nothing but %s is read in time", (_, lines) => {
  expect(parse(...lines).subject.length).toBeLessThan(10_000);
});
