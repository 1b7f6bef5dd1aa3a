import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import { apiQuery, readPages } from "#workers/dashboard/ui/api/queries.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { RootsOnly } from "#workers/dashboard/ui/kit/roots-only.tsx";
import { Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { BundlesCard } from "./bundles-card.tsx";
import { ImagesCard } from "./images-card.tsx";
import { RolloutsCard } from "./rollouts-card.tsx";

const TITLE = "Versions";

const VersionsPage = () => (
  <RootsOnly title={TITLE}>
    {() => (
      <Page
        title={TITLE}
        about="The versions that tenants can run, the default for new tenants, and rollouts to existing ones."
      >
        <Parts />
      </Page>
    )}
  </RootsOnly>
);

/** Renders all parts at once, so that none shifts the others. */
function Parts() {
  const rollouts = useInfiniteQuery(readPages(rolloutRoutes.listRollouts, {}));
  const images = useQuery(apiQuery(imageRoutes.listImages, {}));
  const bundles = useQuery(apiQuery(imageRoutes.listWorkerBundles, {}));
  if (rollouts.isPending || images.isPending || bundles.isPending) {
    return (
      <Card>
        <Loading lines={12} />
      </Card>
    );
  }
  return (
    <>
      <RolloutsCard rollouts={rollouts} />
      <ImagesCard images={images} />
      <BundlesCard bundles={bundles} />
    </>
  );
}

export default VersionsPage;
