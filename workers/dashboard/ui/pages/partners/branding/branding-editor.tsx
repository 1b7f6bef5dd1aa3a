import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type PartnerStyle, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { SaveFault } from "#workers/dashboard/ui/kit/form/save-fault.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { BrandingFields } from "./branding-fields.tsx";
import { BrandingPreview } from "./branding-preview.tsx";
import { bodyOf, DEFAULTS, faultsOf } from "./branding-values.ts";
import { LogoField } from "./logo-field.tsx";
import { useBrandingDraft } from "./use-branding-draft.ts";

function BrandingEditor({ style, name }: { style: PartnerStyle; name: string }) {
  const queries = useQueryClient();
  const draft = useBrandingDraft(style, name);
  const { values, body, isChanged } = draft;
  const save = useChange(partnerRoutes.putPartnerStyle, {
    success: "Branding saved",
    onDone: draft.end,
  });
  const hasConflict = draft.hasConflict && !save.isPending;
  const own = faultsOf(body);
  const ready = isChanged && !hasConflict && Object.keys(own).length === 0;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
      <div className="flex flex-col gap-6">
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (!ready || save.isPending) return;
            save.mutate({ params: { partner_id: style.partner_id }, body, version: style.version });
          }}
        >
          <BrandingFields
            values={values}
            onChange={draft.change}
            faults={{ ...fieldFaults(save.error), ...own }}
            name={name}
          />
          {hasConflict ? (
            <ConflictNotice onKeep={draft.keep} onDiscard={draft.discard} />
          ) : (
            <SaveFault
              change={save}
              onReload={() => queries.invalidateQueries({ queryKey: [partnerRoutes.getPartnerStyle.tag] })}
            />
          )}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={save.isPending} disabled={!ready}>
              Save branding
            </Button>
            <Button
              onClick={() => draft.change(DEFAULTS)}
              disabled={JSON.stringify(body) === JSON.stringify(bodyOf(DEFAULTS, name))}
            >
              Reset to default
            </Button>
            {isChanged ? (
              <Button variant="ghost" onClick={draft.discard}>
                Discard changes
              </Button>
            ) : null}
          </div>
        </form>
        <LogoField style={style} />
      </div>
      <BrandingPreview style={style} values={values} />
    </div>
  );
}

const ConflictNotice = ({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) => (
  <div role="alert" className="flex flex-col gap-2 rounded-md bg-busy-soft px-3 py-2 text-[0.8125rem] text-busy">
    <p>Another user changed the branding. Your entries are kept but not saved yet.</p>
    <div className="flex flex-wrap gap-2">
      <Button small onClick={onKeep}>
        Keep my changes
      </Button>
      <Button small onClick={onDiscard}>
        Discard my changes
      </Button>
    </div>
  </div>
);

export function BrandingCard({ partner }: { partner: { id: string; name: string } }) {
  const style = useQuery(apiQuery(partnerRoutes.getPartnerStyle, { params: { partner_id: partner.id } }));
  return (
    <Card title="Branding" about="Shown in mails, in invitations and on pages before the login.">
      <Loaded query={style} loading={<Loading lines={12} />}>
        {(data) => <BrandingEditor style={data} name={partner.name} />}
      </Loaded>
    </Card>
  );
}
