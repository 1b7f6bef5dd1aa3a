import { expect, test } from "vitest";
import { evidence, rowsWith } from "../testing/evidence.ts";
import { failedPushes } from "./failed-push.ts";

const id = "4d3e2f1a-0b9c-4d8e-9f7a-6b5c4d3e2f1a";
const error = "Failed to send the tenant its egress policy: the tenant does not respond.";

test("reports what a tenant did not receive, with the error and what to do", () => {
  const pushes = [
    { job: "push_egress" as const, id, name: "", slug: "acme", error },
    { job: "push_channels" as const, id, name: "telegram", slug: "hooli", error },
  ];
  const rows = rowsWith({ pushes });
  expect(failedPushes(evidence({ rows }))).toMatchObject([
    {
      findings: [
        {
          ...{ what: "egress policy", name: "acme", identity: `push_egress/${id}`, tenant: "acme" },
          why: `the tenant did not receive it: ${error}`,
          remedy: expect.stringContaining("retry the job push_egress of acme"),
        },
        {
          ...{ what: "channel", name: "telegram of hooli", identity: `push_channels/${id}` },
          remedy: expect.stringContaining("check the channel"),
        },
      ],
    },
  ]);
});
