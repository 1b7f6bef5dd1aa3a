import { expect, test } from "vitest";
import { fleetArguments } from "./arguments.ts";

test("parses the options of pipelines", () => {
  const line = [
    "preview",
    "--since",
    "origin/main",
    "--parallel",
    "4",
    "--markdown",
    "--detailed-exitcode",
    "prod-acme",
  ];
  expect(fleetArguments(line)).toMatchObject({
    command: "preview",
    since: "origin/main",
    parallel: 4,
    format: "markdown",
    detailedExitCode: true,
    stacks: ["prod-acme"],
    state: undefined,
  });
  expect(fleetArguments(["up"])).toMatchObject({
    parallel: 2,
    format: "text",
    destroy: false,
    detailedExitCode: false,
  });
  expect(fleetArguments(["doctor", "prod", "--fix", "--grace", "48"])).toMatchObject({
    command: "doctor",
    stacks: ["prod"],
    fix: true,
    graceHours: 48,
  });
  expect(fleetArguments(["doctor"])).toMatchObject({ fix: false, graceHours: 24 });
});

test("parses handovers, with production as the default environment", () => {
  expect(fleetArguments(["adopt", "acme"])).toMatchObject({ stacks: ["acme"], environment: "production" });
  expect(fleetArguments(["move", "acme", "--to", "dev-acme", "--environment", "development"])).toMatchObject({
    to: "dev-acme",
    environment: "development",
  });
});

test("parses a verification of a canary, and of a tenant", () => {
  expect(fleetArguments(["verify", "--stack", "prod"])).toMatchObject({
    stacks: [],
    platformStack: "prod",
  });
  expect(fleetArguments(["verify", "acme", "--stack", "prod"])).toMatchObject({ stacks: ["acme"] });
});

test("parses a restore from a dump, by a vendor and its end", () => {
  const line = ["restore", "--stack", "prod"];
  const asOf = new Date("2026-11-24T08:00:00Z");
  expect(fleetArguments([...line, "x.dump"])).toMatchObject({ stacks: ["x.dump"], finish: false });
  expect(fleetArguments([...line, "--as-of", "2026-11-24T09:00:00+01:00"])).toMatchObject({ asOf });
  expect(fleetArguments([...line, "--finish"])).toMatchObject({ finish: true, asOf: undefined });
});

test.each([
  [[], "Name a command"],
  [["deploy"], "deploy is not a command"],
  [["preview", "--sinc", "x"], "Unknown option '--sinc'"],
  [["preview", "--parallel", "0"], "--parallel must be a whole number from 1 to 16"],
  [["preview", "--json", "--markdown"], "Choose one"],
  [["preview", "--since", "x", "--destroy"], "preview does not take --destroy; it is for up."],
  [["up", "--destroy"], "--destroy requires --since REF"],
  [["up", "--force"], "up does not take --force; it is for recover."],
  [["drift", "--without-secrets"], "drift does not take --without-secrets; it is for preview."],
  [["up", "--fix"], "up does not take --fix; it is for doctor."],
  [["doctor", "--grace", "0.5"], "--grace must be hours from 1 to 8760"],
  [["doctor", "--since", "x"], "doctor does not take --since."],
  [["restore", "--stack", "prod"], "restore takes exactly one of FILE, --as-of TIME and --finish"],
  [
    ["restore", "x.dump", "--finish", "--stack", "prod"],
    "restore takes exactly one of FILE, --as-of TIME and --finish",
  ],
  [["restore", "--as-of", "yesterday", "--stack", "prod"], "must be a time such as 2026-11-24T08:00:00Z"],
  [
    ["dump", "d", "--stack", "prod", "--as-of", "2026-11-24T08:00:00Z"],
    "dump does not take --as-of; it is for restore.",
  ],
  [["dump", "d", "--stack", "prod", "--finish"], "dump does not take --finish; it is for rotate, restore."],
  [["recover"], "recover takes exactly one STACK"],
  [["adopt"], "adopt takes exactly one SLUG"],
  [["release", "Acme"], '"Acme" '],
  [["move", "acme"], "move requires --to STACK"],
  [["adopt", "acme", "--to", "prod-acme"], "adopt does not take --to; it is for move."],
  [["up", "--environment", "staging"], "up does not take --environment; it is for adopt, release, move."],
  [["preflight"], "preflight takes exactly one STACK"],
  [["preflight", "prod", "--parallel", "4"], "preflight does not take --parallel."],
  [["verify", "acme"], "verify requires --stack STACK"],
  [["verify", "acme", "beta", "--stack", "prod"], "verify takes at most one TENANT"],
  [["verify", "Acme", "--stack", "prod"], '"Acme" '],
  [["adopt", "acme", "--environment", "prod"], "--environment must be one of production"],
])("rejects %j with a sentence and the usage", (line, sentence) => {
  expect(() => fleetArguments(line)).toThrow(sentence);
  expect(() => fleetArguments(line)).toThrow("npm run fleet -- COMMAND");
});
