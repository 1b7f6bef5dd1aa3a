import { describe, expect, test } from "vitest";
import { engineArguments } from "./engine-arguments.ts";
import { DEFAULT_STATE } from "./options.ts";

describe("arguments of npm run pulumi", () => {
  test("are the engine's, except the state directory", () => {
    expect(engineArguments(["up", "--state", "/tmp/edge", "-s", "local"])).toEqual({
      state: "/tmp/edge",
      hasDirectory: false,
      engine: ["up", "-s", "local"],
    });
    expect(engineArguments(["preview"]).state).toMatch(new RegExp(`${DEFAULT_STATE}$`));
  });

  test.each([["--cwd", "tenants"], ["--cwd=tenants"], ["-C", "tenants"], ["-Ctenants"]])(
    "may name another directory: %s %s",
    (...directory) => {
      const engine = [...directory, "up"];
      expect(engineArguments(engine)).toMatchObject({ hasDirectory: true, engine });
    },
  );

  test("disable code generation of an import by default", () => {
    const imported = (...argv: string[]) => engineArguments(argv).engine;
    expect(imported("import", "type", "name", "id")).toEqual(["import", "--generate-code=false", "type", "name", "id"]);
    expect(imported("-C", "tenants", "import", "x")).toEqual(["-C", "tenants", "import", "--generate-code=false", "x"]);
    expect(imported("import", "--generate-code")).toEqual(["import", "--generate-code"]);
    expect(imported("--cwd", "import", "up")).toEqual(["--cwd", "import", "up"]);
    expect(imported("config", "set", "import", "x")).toEqual(["config", "set", "import", "x"]);
  });
});
