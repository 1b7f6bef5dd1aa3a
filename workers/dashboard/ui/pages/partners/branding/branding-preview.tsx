import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import {
  type PartnerStyle,
  partnerRoutes,
  type StylePreview,
  stylePreviews,
} from "#workers/contracts/api/people/partners.ts";
import { addressOf, callApi } from "#workers/dashboard/ui/api/ask.ts";
import { partnerAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { useDebounced } from "#workers/dashboard/ui/kit/form/debounced.ts";
import { ViewSwitch } from "#workers/dashboard/ui/kit/layout/view-switch.tsx";
import { Loaded, Skeleton } from "#workers/dashboard/ui/kit/states.tsx";
import { type BrandingValues, previewOf } from "./branding-values.ts";
import { PreviewFrame } from "./preview-frame.tsx";

const route = getRouteApi("/shell/partners/$partnerId");
const DEBOUNCE_MS = 300;
const NAMES: Readonly<Record<StylePreview, string>> = { invitation: "Invitation page", mail: "Mail" };

export function BrandingPreview({ style, values }: { style: PartnerStyle; values: BrandingValues }) {
  const { preview: page = "invitation" } = route.useSearch();
  const { query, ...input } = { params: { partner_id: style.partner_id }, query: previewOf(values) };
  const typed = addressOf(partnerRoutes.previewPartnerStyle, { ...input, query });
  const hasSettled = useDebounced(typed, DEBOUNCE_MS) === typed;
  const request = { ...input, query: { ...query, page } };
  const address = addressOf(partnerRoutes.previewPartnerStyle, request);
  const shown = useQuery({
    // The preview shows the saved logo.
    queryKey: [partnerRoutes.previewPartnerStyle.tag, "preview", address, style.logo_url],
    // A frame does not report errors, so its content is requested first.
    queryFn: async ({ signal }) => {
      await callApi(partnerRoutes.previewPartnerStyle, request, { signal });
      return { address, logo: style.logo_url };
    },
    enabled: hasSettled,
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-label="Preview" className="flex flex-col gap-3 lg:sticky lg:top-16">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="flex-1 font-medium">Preview</h3>
        <ViewSwitch
          label="View"
          to={partnerAddress(style.partner_id)}
          views={stylePreviews.map((one) => ({ name: NAMES[one], search: { preview: one }, current: one === page }))}
        />
      </div>
      <div className="relative h-[42rem] overflow-hidden rounded-lg border border-line bg-sunken">
        <Loaded query={shown} loading={<Skeleton className="size-full" />}>
          {({ address, logo }) => (
            <PreviewFrame title={`${NAMES[page]}, with sample data`} address={address} version={logo} />
          )}
        </Loaded>
      </div>
    </section>
  );
}
