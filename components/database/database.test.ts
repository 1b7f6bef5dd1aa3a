import { expect, test } from "vitest";
import { Platform, type PlatformArgs } from "../platform.ts";
import { declare, only, resolved } from "../testing/declared.ts";
import { fakePlatformArgs } from "../testing/fakes.ts";

const deploy = (more: Partial<PlatformArgs> = {}) =>
  declare(() => new Platform("platform", fakePlatformArgs("production", more)));

test("gives each caller of the database a role with the least rights", async () => {
  const { declared } = await deploy();
  const grants = declared.filter(({ type }) => type === "postgresql:index/grant:Grant").map(({ inputs }) => inputs);
  const of = (role: string) =>
    grants
      .filter((grant) => grant.role === role)
      .map((grant) => `${grant.schema} ${grant.objectType} ${(grant.privileges as string[]).join("+")}`);
  expect(of("tenantry_dispatch")).toEqual(["api schema USAGE", "api function EXECUTE"]);
  expect(of("tenantry_dashboard")).toEqual(["dashboard schema USAGE", "dashboard function EXECUTE"]);
  // Otherwise it would have the rights of people without setting their role.
  expect(only(declared, "Role", "dashboard").inputs).toMatchObject({ login: true, inherit: false });
  const taken = declared
    .filter(({ type }) => type === "postgresql:index/grantRole:GrantRole")
    .map(({ inputs }) => inputs);
  expect(taken.filter(({ role }) => role === "tenantry_dashboard").map(({ grantRole }) => grantRole)).toEqual([
    "tenantry_platform_root",
    "tenantry_partner_root",
    "tenantry_client_admin",
    "tenantry_client_user",
  ]);
  expect(only(declared, "Role", "dispatch").inputs).toMatchObject({ name: "tenantry_dispatch", login: false });
  const provider = only(declared, "postgresql").inputs;
  expect(provider).toMatchObject({ host: "db.example.com", sslmode: "require" });
});

test.each([
  // [rotation, valid logins, used login, login whose sessions end]
  [undefined, ["tenantry_service"], "tenantry_service:password-of-service-password@", []],
  [
    { version: 2, step: "prepare" },
    ["tenantry_service", "tenantry_service_b"],
    "tenantry_service:password-of-service-password@",
    [],
  ],
  [
    { version: 2, step: "switch" },
    ["tenantry_service", "tenantry_service_b"],
    "tenantry_service_b:password-of-service-password-b@",
    [],
  ],
  [
    { version: 2, step: "done" },
    ["tenantry_service_b"],
    "tenantry_service_b:password-of-service-password-b@",
    ["tenantry_service"],
  ],
  [
    { version: 3, step: "prepare" },
    ["tenantry_service", "tenantry_service_b"],
    "tenantry_service_b:password-of-service-password-b@",
    [],
  ],
  [
    { version: 3, step: "done" },
    ["tenantry_service"],
    "tenantry_service:password-of-service-password@",
    ["tenantry_service_b"],
  ],
] as const)("alternates between two logins (%j)", async (databaseLogins, valid, used, ended) => {
  const { declared, result } = await deploy({ rotations: { databaseLogins } });
  const ofService = ({ name }: { name: unknown }) => String(name).startsWith("tenantry_service");
  const roles = declared.filter(({ type }) => type === "postgresql:index/role:Role").map(({ inputs }) => inputs);
  const logins = roles.filter((role) => ofService(role as { name: unknown }) && role.login === true);
  expect(logins.map(({ name }) => name)).toEqual(valid);
  // A used role remains, with what it owns and the other's rights.
  expect(roles.some(({ name }) => name === "tenantry_service")).toBe(true);
  expect(roles.some(({ name }) => name === "tenantry_service_b")).toBe(databaseLogins !== undefined);
  expect(await resolved(result.serviceUrl)).toContain(used);
  expect(
    declared
      .filter(({ type, name }) => type === "tenantry:index:EndedSessions" && name === "service")
      .map(({ inputs }) => inputs.role),
  ).toEqual(ended);
  // Ownership and grants always belong to the first login.
  expect(only(declared, "Migrations").inputs.queue).toMatchObject({ role: "tenantry_service" });
  expect(JSON.stringify(only(declared, "HyperdriveConfig").inputs)).toContain(
    used.replace(/service/g, "dashboard").split(":")[0],
  );
});
