import { describe, expect, test } from "vitest";
import type { EgressPolicy } from "#domain/egress/policy-types.ts";
import type { ClientFields } from "#domain/settings/client.ts";
import { Client } from "./client.ts";
import { Partner } from "./partner.ts";
import { declare, only } from "./testing/declared.ts";
import { fakeContext } from "./testing/fakes.ts";

async function rowOf(fields?: ClientFields) {
  const { declared } = await declare(
    () =>
      new Client("acme", {
        context: fakeContext(),
        slug: "acme",
        displayName: "Acme",
        plan: "pro",
        status: "active",
        ...(fields && { fields }),
        gateway: { kind: "dedicated", gatewayId: "tenantry-acme" },
      }),
  );
  return only(declared, "DatabaseRecord", "client-acme").inputs.values;
}

const always = { name: "Acme", billing_plan: "pro", status: "active", partner_id: null, managed_by: "git" };

describe("a client's row", () => {
  test("omits columns of fields that are not set", async () => {
    expect(await rowOf()).toEqual(always);
    expect(await rowOf({ canary: undefined, maintenanceWindow: undefined })).toEqual(always);
  });

  test("has the columns of a canary flag and a maintenance window", async () => {
    const maintenanceWindow = { days: [6, 7], start: "02:00", hours: 4, timeZone: "Europe/Berlin" };
    expect(await rowOf({ canary: true, maintenanceWindow })).toEqual({
      ...always,
      is_canary: true,
      maintenance_days: [6, 7],
      maintenance_start: "02:00",
      maintenance_hours: 4,
      maintenance_zone: "Europe/Berlin",
    });
  });

  test("has empty columns for a maintenance window of null", async () => {
    const none = { maintenance_days: null, maintenance_start: null, maintenance_hours: null, maintenance_zone: null };
    expect(await rowOf({ canary: false, maintenanceWindow: null })).toEqual({ ...always, is_canary: false, ...none });
  });
});

describe("an egress policy", () => {
  const policy: EgressPolicy = { mode: "allowlist", entries: [{ host: "api.example.org" }] };
  const columnOf = async (egress: EgressPolicy | null | undefined) => {
    const { declared } = await declare(() => {
      new Partner("globex", { slug: "globex", displayName: "Globex", style: {}, egress });
      return new Client("acme", {
        ...{ context: fakeContext(), slug: "acme", displayName: "Acme", plan: "pro", status: "active", egress },
        gateway: { kind: "dedicated", gatewayId: "tenantry-acme" },
      });
    });
    return ["partner-globex", "instance-acme"].map(
      (name) => only(declared, "DatabaseRecord", name).inputs.values as Readonly<Record<string, unknown>>,
    );
  };

  test("is a column of the partner's and of the instance's row", async () => {
    for (const values of await columnOf(policy)) expect(values).toMatchObject({ egress: policy });
    for (const values of await columnOf(null)) expect(values).toMatchObject({ egress: null });
  });

  test("stays as it is in the database when it is not declared", async () => {
    for (const values of await columnOf(undefined)) expect(values).not.toHaveProperty("egress");
  });
});
