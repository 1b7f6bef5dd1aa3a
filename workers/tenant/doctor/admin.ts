/** Routes for administrators to run the gateway's doctor. The caller's role is checked before. */
import { type Context, Hono } from "hono";
import { workerErrors } from "#domain/errors/tenants/worker.ts";
import { errorResponse, statedResponse } from "#workers/contracts/errors.ts";
import { DOCTOR_PATH, DOCTOR_REPAIR_PATH, type DoctorRun } from "#workers/contracts/tenant/doctor.ts";
import { requesterIn } from "../backup/requester.ts";
import type { TenantEnv } from "../env.ts";
import { supervisorOf } from "../supervisor-calls.ts";

type Call = Context<{ Bindings: TenantEnv }>;

const UNCACHED = { "cache-control": "no-store" };

async function order(c: Call, kind: DoctorRun["kind"]): Promise<Response> {
  const ordered = await supervisorOf(c.env).orderDoctor(kind, requesterIn(c.req.raw.headers));
  return "refused" in ordered ? statedResponse(ordered.refused) : c.json(ordered.report, 202, UNCACHED);
}

export const doctorAdmin = new Hono<{ Bindings: TenantEnv }>()
  .get(DOCTOR_PATH, async (c) => c.json(await supervisorOf(c.env).reportDoctor(), 200, UNCACHED))
  .post(DOCTOR_PATH, (c) => order(c, "check"))
  .post(DOCTOR_REPAIR_PATH, (c) => order(c, "repair"));

for (const path of [DOCTOR_PATH, DOCTOR_REPAIR_PATH])
  doctorAdmin.all(path, (c) => errorResponse(workerErrors.method_not_supported, { path, method: c.req.method }));
