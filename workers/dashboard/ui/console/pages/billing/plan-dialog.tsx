import { useState } from "react";
import { planLabel } from "#domain/plans/plan.ts";
import type { PlanOffers } from "#workers/contracts/api/billing.ts";
import { type Instance, instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { capitalised } from "#workers/dashboard/ui/kit/format.ts";
import { ChoiceList } from "#workers/dashboard/ui/pages/instance/actions/choice-list.tsx";
import { differenceText, feeText, planGrants } from "./plan-texts.ts";

interface PlanDialogProps {
  instance: Instance;
  offers: PlanOffers;
  onClose: () => void;
  onReload: () => Promise<unknown>;
}

export default function PlanDialog({ instance, offers, onClose, onReload }: PlanDialogProps) {
  const { current, data } = offers;
  const [chosen, setChosen] = useState(current);
  const change = useChange(instanceRoutes.changeWorkerPlan, {
    also: ["billing", "clients", "jobs"],
    success: `Changing to plan ${planLabel(chosen)}`,
    onDone: onClose,
  });
  const now = data.find(({ plan }) => plan === current);
  const next = data.find(({ plan }) => plan === chosen);
  return (
    <FormDialog
      wide
      onClose={onClose}
      title="Change plan"
      about="The agent restarts once. If the size of its container changes, its state is backed up first. To undo this, change the plan back."
      action={chosen === current ? "Change plan" : `Change to ${planLabel(chosen)}`}
      ready={chosen !== current}
      change={change}
      onReload={onReload}
      onSubmit={() =>
        change.mutate({ params: { instance_id: instance.id, plan_type: chosen }, query: { from: current } })
      }
    >
      <ChoiceList
        label="Plan"
        value={chosen}
        onChange={setChosen}
        options={data.map((offer) => ({
          value: offer.plan,
          name: offer.plan === current ? `${planLabel(offer.plan)} (current)` : planLabel(offer.plan),
          beside: offer.monthly_micros === null ? feeText(null) : `${feeText(offer.monthly_micros)} per month`,
          about: `${capitalised(planGrants(offer))}.`,
        }))}
      />
      {chosen === current || next === undefined ? null : (
        <p role="status" className="text-soft">
          {capitalised(differenceText(now, next))}
        </p>
      )}
    </FormDialog>
  );
}
