import { Plus } from "lucide-react";
import { partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { useChange } from "../../api/change.ts";
import { fieldFaults } from "../../api/faults.ts";
import { Button } from "../../kit/button.tsx";
import { useDraft } from "../../kit/form/draft.ts";
import { TextField } from "../../kit/form/field.tsx";
import { Fault } from "../../kit/states.tsx";

export function NewDomain({ partnerId }: { partnerId: string }) {
  const [draft, change, discard] = useDraft(`new-domain-${partnerId}`, { hostname: "" });
  const add = useChange(partnerRoutes.addPartnerDomain, {
    success: ({ hostname }) => `${hostname} added`,
    onDone: discard,
  });
  const fault = fieldFaults(add.error).hostname;
  const hostname = draft.hostname.trim();
  return (
    <form
      noValidate
      className="flex flex-col gap-3 border-b border-line px-4 pb-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (hostname !== "" && !add.isPending) add.mutate({ params: { partner_id: partnerId }, body: { hostname } });
      }}
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1 sm:max-w-80">
          <TextField
            label="Host name"
            placeholder="agents.example.com"
            value={draft.hostname}
            onChange={(text) => change({ hostname: text })}
            fault={fault}
            maxLength={253}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <Button type="submit" busy={add.isPending} disabled={hostname === ""} className="mt-6">
          <Plus aria-hidden="true" /> Add host
        </Button>
      </div>
      {fault === undefined ? <Fault error={add.error} /> : null}
    </form>
  );
}
