import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { egressRoutes, type PartnerEgress } from "#workers/contracts/api/tenants/egress.ts";
import { useChange } from "../../api/change.ts";
import { apiQuery } from "../../api/queries.ts";
import { Button } from "../../kit/button.tsx";
import { SaveFault } from "../../kit/form/save-fault.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { Loaded, Loading } from "../../kit/states.tsx";
import { describePolicy, formOf, PolicyFields, policyOf } from "../clients/network/policy-fields.tsx";

export function EgressCard({ partnerId }: { partnerId: string }) {
  const query = useQuery(apiQuery(egressRoutes.getPartnerEgress, { params: { partner_id: partnerId } }));
  return (
    <Card
      title="Network"
      about="What the containers of all the partner's tenants may reach. It can only make their limits stricter."
    >
      <Loaded query={query} loading={<Loading lines={3} />}>
        {(egress) =>
          egress.managed_by === "git" ? (
            <p className="text-quiet">
              The stack file states: {describePolicy(egress.policy)}. Change `egress` of the partner there.
            </p>
          ) : (
            <PolicyForm egress={egress} onReload={() => query.refetch()} />
          )
        }
      </Loaded>
    </Card>
  );
}

function PolicyForm({ egress, onReload }: { egress: PartnerEgress; onReload: () => Promise<unknown> }) {
  const { partner_id, policy, version } = egress;
  const [form, setForm] = useState(() => formOf(policy));
  const save = useChange(egressRoutes.putPartnerEgress, { success: "Policy saved", also: ["partners"] });
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ params: { partner_id }, body: { policy: policyOf(form) }, version });
      }}
    >
      <PolicyFields
        value={form}
        onChange={(next) => {
          setForm(next);
          save.reset();
        }}
        none="None: as plan and platform state"
        error={save.error}
      />
      <SaveFault change={save} onReload={onReload} />
      <footer className="flex justify-end">
        <Button type="submit" variant="primary" busy={save.isPending}>
          Save policy
        </Button>
      </footer>
    </form>
  );
}
