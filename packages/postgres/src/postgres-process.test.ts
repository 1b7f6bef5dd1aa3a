import { expect, test } from "vitest";
import { lastFault } from "./postgres-process.ts";

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
    "a user that cannot be taken",
    "setpriv: setresuid failed: Operation not permitted.",
    "setresuid failed: Operation not permitted",
  ],
  ["nothing that failed", "creating subdirectories ... ok", undefined],
])("takes the error from what a program printed of %s", (_, output, fault) => {
  expect(lastFault(output)).toBe(fault);
});
