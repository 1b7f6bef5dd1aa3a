import { expect, test } from "vitest";
import { fleetArguments } from "./arguments.ts";

test("reads what pipelines say", () => {
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

test("takes a tenant that is handed over, of production unless another environment is named", () => {
  expect(fleetArguments(["adopt", "acme"])).toMatchObject({ stacks: ["acme"], environment: "production" });
  expect(fleetArguments(["move", "acme", "--to", "dev-acme", "--environment", "development"])).toMatchObject({
    to: "dev-acme",
    environment: "development",
  });
});

test("takes a restore from a dump, by a vendor, or its end", () => {
  const line = ["restore", "--stack", "prod"];
  const asOf = new Date("2026-11-24T08:00:00Z");
  expect(fleetArguments([...line, "x.dump"])).toMatchObject({ stacks: ["x.dump"], rotation: { finish: false } });
  expect(fleetArguments([...line, "--as-of", "2026-11-24T09:00:00+01:00"])).toMatchObject({ rotation: { asOf } });
  expect(fleetArguments([...line, "--finish"])).toMatchObject({ rotation: { finish: true, asOf: undefined } });
});

test.each([
  [[], "Say what to do"],
  [["deploy"], "deploy is no command"],
  [["preview", "--sinc", "x"], "Unknown option '--sinc'"],
  [["preview", "--parallel", "0"], "--parallel takes a number"],
  [["preview", "--json", "--markdown"], "Choose one"],
  [["preview", "--since", "x", "--destroy"], "--destroy is for up"],
  [["up", "--destroy"], "--destroy is for up --since REF"],
  [["up", "--force"], "--force is for recover"],
  [["drift", "--without-secrets"], "--without-secrets is for preview"],
  [["up", "--fix"], "--fix and --grace are for doctor"],
  [["doctor", "--grace", "0.5"], "--grace takes hours from 1 to 8760"],
  [["doctor", "--since", "x"], "doctor looks at all"],
  [["restore", "--stack", "prod"], "restore takes one of FILE, --as-of TIME and --finish"],
  [["restore", "x.dump", "--finish", "--stack", "prod"], "restore takes one of FILE, --as-of TIME and --finish"],
  [["restore", "--as-of", "yesterday", "--stack", "prod"], "takes a time such as 2026-11-24T08:00:00Z"],
  [["dump", "d", "--stack", "prod", "--as-of", "2026-11-24T08:00:00Z"], "--as-of is for restore"],
  [["dump", "d", "--stack", "prod", "--finish"], "--finish is for restore, and for rotate without --service"],
  [["recover"], "recover takes the name of one stack"],
  [["adopt"], "adopt takes the slug of one tenant"],
  [["release", "Acme"], '"Acme" '],
  [["move", "acme"], "move takes --to STACK"],
  [["adopt", "acme", "--to", "prod-acme"], "nothing else does"],
  [["up", "--environment", "staging"], "--environment is for adopt, release and move"],
  [["adopt", "acme", "--environment", "prod"], "--environment takes one of production"],
])("refuses %j with a sentence and the usage", (line, sentence) => {
  expect(() => fleetArguments(line)).toThrow(sentence);
  expect(() => fleetArguments(line)).toThrow("npm run fleet -- COMMAND");
});
