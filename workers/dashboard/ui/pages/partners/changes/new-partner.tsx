import { useNavigate } from "@tanstack/react-router";
import { partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { PartnerFields, type PartnerValues, slugFaultOf } from "./partner-fields.tsx";

const EMPTY: PartnerValues = { slug: "", name: "" };

export default function NewPartner() {
  const navigate = useNavigate();
  const [draft, change, discard] = useDraft("new-partner", EMPTY);
  const create = useChange(partnerRoutes.createPartner, {
    success: ({ name }) => ({ title: `${name} created`, about: "Set its branding here, and add users under People." }),
    onDone: ({ id }) => {
      discard();
      void navigate({ to: `/partners/${id}` });
    },
  });
  const [slug, name] = [draft.slug.trim(), draft.name.trim()];
  return (
    <FormDialog
      onClose={() => {
        discard();
        void navigate({ to: "/partners" });
      }}
      title="Create partner"
      action="Create partner"
      change={create}
      ready={slug !== "" && slugFaultOf(slug) === undefined}
      onSubmit={() => create.mutate({ body: { slug, ...(name !== "" && { name }) } })}
    >
      <PartnerFields values={draft} onChange={change} faults={fieldFaults(create.error)} />
    </FormDialog>
  );
}
