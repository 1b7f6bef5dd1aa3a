import { expect, test } from "vitest";
import { defineErrors } from "./catalogue.ts";
import {
  asSentence,
  CatalogueError,
  errorHeading,
  errorLine,
  errorMessage,
  errorParts,
  withReason,
} from "./catalogue-error.ts";

const errors = defineErrors({
  name_in_use: { message: "The name {name} is in use.", remedy: "Choose another." },
  key_missing: { message: "API keys are missing.", remedy: "Add a key." },
});

test("has text and reason of its entry, and a cause", () => {
  const cause = new Error("taken");
  const error = new CatalogueError(errors.name_in_use, { name: "acme" }, { cause });
  expect(error).toMatchObject({ message: "The name acme is in use. Choose another.", reason: "name_in_use", cause });
  expect(new CatalogueError(errors.key_missing).message).toBe("API keys are missing. Add a key.");
});

test("carries the text of another error with its reason, if it has one", () => {
  expect(new CatalogueError({ message: "It failed." })).toMatchObject({ message: "It failed.", reason: undefined });
  expect(new CatalogueError(new CatalogueError(errors.key_missing)).reason).toBe("key_missing");
});

test("rejects free text and missing values at compile time", () => {
  // @ts-expect-error a text is no entry
  expect(() => new CatalogueError("It failed.")).not.toThrow();
  // @ts-expect-error name is missing
  expect(new CatalogueError(errors.name_in_use).message).toContain("{name}");
});

test("writes an entry as a line, as a heading and in two parts", () => {
  expect(errorLine(errors.name_in_use, { name: "Acme." })).toBe("the name Acme. is in use; choose another");
  expect(errorMessage(errors.key_missing)).toBe("API keys are missing");
  expect(errorHeading(errors.name_in_use, { name: "a" })).toBe("the name a is in use:");
  expect(errorParts(errors.name_in_use, { name: "a" })).toEqual({
    cause: "The name a is in use.",
    remedy: "Choose another.",
  });
});

test("writes the reason behind one line, and below several", () => {
  expect(withReason("It failed.", "key_missing")).toBe("It failed. (key_missing)");
  expect(withReason("It failed:\n  a", "key_missing")).toBe("It failed:\n  a\n(key_missing)");
  expect(withReason("It failed.", undefined)).toBe("It failed.");
});

test.each([
  ["connect ECONNREFUSED", "connect ECONNREFUSED."],
  ["Unexpected token at line 1:\n", "Unexpected token at line 1."],
  ["It failed.", "It failed."],
])("ends %j as a sentence", (text, sentence) => {
  expect(asSentence(text)).toBe(sentence);
});
