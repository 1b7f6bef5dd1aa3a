import { useQueryClient } from "@tanstack/react-query";
import { type PartnerStyle, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { SaveFault } from "#workers/dashboard/ui/kit/form/save-fault.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { BrandingFields } from "./branding-fields.tsx";
import { BrandingPreview } from "./branding-preview.tsx";
import { bodyOf, DEFAULTS, faultsOf } from "./branding-values.ts";
import { LogoField } from "./logo-field.tsx";
import { Overtaken } from "./overtaken.tsx";
import { useBrandingDraft } from "./use-branding-draft.ts";

export interface BrandingEditorProps {
  style: PartnerStyle;
  /** The partner's; shown where nothing else is to be. */
  name: string;
}

/** What is typed is shown at once, kept over a reload, and saved when that is asked for. */
export function BrandingEditor({ style, name }: BrandingEditorProps) {
  const queries = useQueryClient();
  const draft = useBrandingDraft(style, name);
  const { values, body, isChanged } = draft;
  const save = useChange(partnerRoutes.putPartnerStyle, {
    onDone: (answer) => {
      draft.end(answer);
      toast({ title: "The branding is saved" });
    },
  });
  const readAnew = async () => {
    await queries.invalidateQueries({ queryKey: [partnerRoutes.getPartnerStyle.tag] });
    save.reset();
  };
  const isOvertaken = draft.isOvertaken && !save.isPending;
  const own = faultsOf(body);
  const ready = isChanged && !isOvertaken && Object.keys(own).length === 0;
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
          {isOvertaken ? (
            <Overtaken onKeep={draft.keep} onDiscard={draft.discard} />
          ) : (
            <SaveFault error={save.error} onReadAnew={() => void readAnew()} />
          )}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="primary" busy={save.isPending} disabled={!ready}>
              Save
            </Button>
            <Button
              onClick={() => draft.change(DEFAULTS)}
              disabled={JSON.stringify(body) === JSON.stringify(bodyOf(DEFAULTS, name))}
            >
              Reset to default
            </Button>
            {isChanged ? (
              <Button look="ghost" onClick={draft.discard}>
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
