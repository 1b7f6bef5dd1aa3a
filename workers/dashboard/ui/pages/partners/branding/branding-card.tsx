import { useQuery } from "@tanstack/react-query";
import { partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { BrandingEditor } from "./branding-editor.tsx";

export function BrandingCard({ partner }: { partner: { id: string; name: string } }) {
  const style = useQuery(read(partnerRoutes.getPartnerStyle, { params: { partner_id: partner.id } }));
  return (
    <Card title="Branding" about="Shown in mails, in invitations and on pages before the login.">
      <Loaded query={style} loading={<Loading lines={12} />}>
        {(data) => <BrandingEditor style={data} name={partner.name} />}
      </Loaded>
    </Card>
  );
}
