import { expect, test } from "vitest";
import { findLastError } from "./postgres-process.ts";

test.each([
  [
    "a full disk",
    `performing post-bootstrap initialization ... 2026-11-25 07:46:33.856 UTC [18254] FATAL:  could not write to file "base/4/1249": No space left on device
child process exited with exit code 1
initdb: removing data directory "/state/postgres/data-new"`,
    'could not write to file "base/4/1249": No space left on device',
  ],
  [
    "a missing locale",
    'initdb: error: invalid locale name "xx"\ninitdb: hint: If the locale exists, set it.',
    'invalid locale name "xx"',
  ],
  [
    "a user that cannot be set",
    "setpriv: setresuid failed: Operation not permitted.",
    "setresuid failed: Operation not permitted",
  ],
  ["a program without errors", "creating subdirectories ... ok", undefined],
])("finds the last error in the output of %s", (_, output, fault) => {
  expect(findLastError(output)).toBe(fault);
});
