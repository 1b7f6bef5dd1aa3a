import { expect, test } from "vitest";
import { refusalText } from "./refusals.ts";

test.each([
  ["timestamp", "Correct the sender's clock."],
  ["malformed", "not an event of this service in UTF-8."],
  ["signature_wrong", "Compare the secret at the service with the door's"],
  ["BodyTooLarge", "larger than"],
  ["of_a_later_version", "The reason is `of_a_later_version`."],
  ["constructor", "The reason is `constructor`."],
])("says what to do after a refusal because of %s", (reason, text) => {
  expect(refusalText(reason)).toContain(text);
});
