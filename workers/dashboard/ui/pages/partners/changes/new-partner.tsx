import { useNavigate } from "@tanstack/react-router";
import { partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { PartnerFields, type PartnerValues, slugFaultOf } from "./partner-fields.tsx";

const EMPTY: PartnerValues = { slug: "", name: "" };

/** Over the list of partners, at an address of its own. */
export function NewPartner() {
  const navigate = useNavigate();
  const [draft, change, forget] = useDraft("new-partner", EMPTY);
  const create = useChange(partnerRoutes.createPartner, {
    onDone: ({ id, name }) => {
      forget();
      toast({ title: `${name} is a partner`, about: "Give it a look here, and people under People." });
      void navigate({ to: `/partners/${id}` });
    },
  });
  const [slug, name] = [draft.slug.trim(), draft.name.trim()];
  return (
    <FormDialog
      open
      onClose={() => {
        forget();
        void navigate({ to: "/partners" });
      }}
      title="New partner"
      action="Create"
      busy={create.isPending}
      error={create.error}
      ready={slug !== "" && slugFaultOf(slug) === undefined}
      onSubmit={() => create.mutate({ body: { slug, ...(name !== "" && { name }) } })}
    >
      <PartnerFields values={draft} onChange={change} faults={fieldFaults(create.error)} />
    </FormDialog>
  );
}
