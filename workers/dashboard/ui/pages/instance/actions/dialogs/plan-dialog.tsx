import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { dayOf } from "#domain/billing/billing-month.ts";
import { type Plan, planLabel, planLimits, plans } from "#domain/plans/plan.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useSeenVersion } from "#workers/dashboard/ui/api/seen-version.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { formatBytes, formatDuration, formatMoney, formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import type { ActionDialogProps } from "../action.ts";
import { ChoiceList } from "../choice-list.tsx";
import { feeOf } from "../plan-fee.ts";

export default function PlanDialog({ instance, onClose }: ActionDialogProps) {
  const { billing_plan: now, id, client } = instance;
  const [chosen, setChosen] = useState<Plan>(now);
  const prices = useQuery(apiQuery(billingRoutes.listPrices, {}));
  const change = useChange(instanceRoutes.changeWorkerPlan, {
    also: ["clients", "jobs"],
    success: `Changing ${client.name} to plan ${planLabel(chosen)}`,
    onDone: onClose,
  });
  const today = dayOf(new Date());
  const fee = (plan: Plan) => feeOf(prices.data?.prices ?? [], plan, today);
  const [before, after] = [fee(now), fee(chosen)];
  const [version, reload] = useSeenVersion(instance.version, instanceRoutes.getInstance.tag);
  return (
    <FormDialog
      wide
      onClose={onClose}
      title="Change plan"
      about="This also changes the client's plan. The Worker is redeployed. If the container size changes, the state is backed up and the container restarts. To undo this, change the plan back."
      action="Change plan"
      ready={chosen !== now}
      change={change}
      onReload={reload}
      onSubmit={() => change.mutate({ params: { instance_id: id, plan_type: chosen }, version })}
    >
      <ChoiceList
        label="Plan"
        value={chosen}
        onChange={setChosen}
        options={plans.map((plan) => ({
          value: plan,
          name: plan === now ? `${planLabel(plan)} (current)` : planLabel(plan),
          beside: monthlyText(fee(plan)),
          about: planGrants(plan),
        }))}
      />
      {chosen === now || before === undefined || after === undefined ? null : (
        <p role="status" className="text-soft">
          {after === before
            ? "The monthly fee does not change."
            : `${formatMoney(Math.abs(after - before))} ${after > before ? "more" : "less"} per month.`}
        </p>
      )}
    </FormDialog>
  );
}

const monthlyText = (micros: number | undefined) =>
  micros === undefined ? undefined : `${formatMoney(micros)} per month`;

function planGrants(plan: Plan): string {
  const { storageBytes, sleepAfterSeconds, subrequests, cpuMs } = planLimits(plan);
  const storage =
    storageBytes === undefined ? "Backup storage as agreed" : `${formatBytes(storageBytes)} of backup storage`;
  const sleep =
    sleepAfterSeconds === undefined ? "never sleeps" : `sleeps after ${formatDuration(sleepAfterSeconds)} idle`;
  return `${storage}; ${sleep}; up to ${formatDuration(cpuMs / 1_000)} of CPU time and ${formatNumber(subrequests)} subrequests per request.`;
}
