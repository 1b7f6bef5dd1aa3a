import { useQuery } from "@tanstack/react-query";
import { partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { BrandingEditor } from "./branding-editor.tsx";

/** How a partner looks. @param props.partner its name is shown where nothing else is to be */
export function BrandingCard({ partner }: { partner: { id: string; name: string } }) {
  const style = useQuery(read(partnerRoutes.getPartnerStyle, { params: { partner_id: partner.id } }));
  return (
    <Card title="Branding" about="In mails, invitations, and pages before a log-in.">
      <Loaded query={style} loading={<Loading lines={12} />}>
        {(data) => <BrandingEditor style={data} name={partner.name} />}
      </Loaded>
    </Card>
  );
}
