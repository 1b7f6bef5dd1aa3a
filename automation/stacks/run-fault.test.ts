import { expect, test } from "vitest";
import { JobRefused } from "../jobs/refusals.ts";
import { TaskError } from "../task.ts";
import { runFault } from "./run-fault.ts";

const fault = (message: string, attempt = 1) => runFault({ why: "fault", message }, attempt);

test.each([
  "access.api.error.limit_reached: maximum number of applications reached (code 12130)",
  "You have exceeded the limit of 1,000,000 buckets per account",
  "Account token limit reached",
  "The account has reached its quota of dispatch namespaces",
  "Too many AI gateways in this account",
  "503: cannot create another application, the maximum of 500 is exceeded",
])("refuses a limit of the account with a remedy: %s", (message) => {
  const error = fault(message);
  expect(error).toBeInstanceOf(JobRefused);
  expect(error.message).toContain("GET /capacity");
});

test.each([
  "429 Too Many Requests: rate limit exceeded",
  "The API's rate limit was reached, try again later",
  "HTTP 502 from the API",
  "connect ECONNREFUSED",
  "Cloudflare refused: Please wait and consider throttling your request speed (code 971)",
  "Cloudflare refused: An unknown error has occurred. (code 10013)",
  "The Cloudflare API cannot be reached (UND_ERR_SOCKET).",
  "Cloudflare refused: The bucket you tried to create already exists, and you own it. (code 10004)",
])("retries a temporary fault three times: %s", (message) => {
  expect(fault(message)).toBeInstanceOf(TaskError);
  expect(fault(message, 3)).toBeInstanceOf(TaskError);
  const last = fault(message, 4);
  expect(last).toBeInstanceOf(JobRefused);
  expect(last.message).not.toContain("GET /capacity");
});

test("does not retry permanent faults", () => {
  expect(fault("the bucket holds objects: empty and delete it").message).toBe(
    "the bucket holds objects: empty and delete it",
  );
  expect(fault("the bucket holds objects: empty and delete it")).toBeInstanceOf(JobRefused);
  expect(runFault({ why: "locked", message: "Held." }, 9)).toBeInstanceOf(TaskError);
  expect(runFault({ why: "ended", message: "" }, 9)).toBeInstanceOf(TaskError);
});
