import { expect, test } from "vitest";
import { bcrypt } from "./bcrypt.ts";

/** The bytes of the salt `abcdefghijklmnopqrstuu`. */
const salt = Buffer.from("71d79f8218a39259a7a29aabb2dbafc3", "hex");

test.each([
  ["pw", "$2b$05$abcdefghijklmnopqrstuuHIrMEWpUCQe2YqFR3sXwQ75u4od..9q"],
  ["", "$2b$05$abcdefghijklmnopqrstuu0oImNDIy4flhldV9YqunRgBAePKmw7m"],
  [
    "pässword-with-more-than-seventy-two-bytes-0123456789-0123456789-0123456789",
    "$2b$05$abcdefghijklmnopqrstuue58WhSznokEqMyxsLklbectcSG4I8YO",
  ],
])("hashes %j as the system's crypt does", (password, hash) => {
  expect(bcrypt(password, salt, 5)).toBe(hash);
});

test("takes a salt of its own, and few rounds", () => {
  const [one, other] = [bcrypt("password"), bcrypt("password")];
  expect(one).toMatch(/^\$2b\$04\$[./A-Za-z0-9]{53}$/);
  expect(other).not.toBe(one);
});
