/** Sets and removes a partner's logo; what was there before can be had back. */
import { type PartnerStyle, partnerRoutes } from "../../../../contracts/api/partners.ts";
import { useChange } from "../../api/change.ts";
import { toast } from "../../kit/toast.ts";

export function useLogo({ partner_id, logo_url, version }: PartnerStyle) {
  const params = { partner_id };
  const failed = (error: Error) => toast({ kind: "failed", title: "The logo is not back", about: error.message });
  const putBack = useChange(partnerRoutes.putPartnerLogo, {
    onDone: () => toast({ title: "The logo is back" }),
    onFailed: failed,
  });
  const removeAgain = useChange(partnerRoutes.deletePartnerLogo, {
    onDone: () => toast({ title: "There is no logo again" }),
    onFailed: failed,
  });
  const put = useChange(partnerRoutes.putPartnerLogo);
  const remove = useChange(partnerRoutes.deletePartnerLogo);
  const undo = (before: Blob | undefined) => ({
    name: "Undo",
    run: () => (before === undefined ? removeAgain.mutate({ params }) : putBack.mutate({ params, upload: before })),
  });
  return {
    isPending: put.isPending || remove.isPending,
    error: put.error ?? remove.error,
    reset() {
      put.reset();
      remove.reset();
    },
    put(file: File) {
      void kept(logo_url).then((before) =>
        put.mutate(
          { params, upload: file, version },
          { onSuccess: () => toast({ title: "The logo is saved", action: undo(before) }) },
        ),
      );
    },
    remove() {
      void kept(logo_url).then((before) =>
        remove.mutate(
          { params, version },
          { onSuccess: () => toast({ title: "The logo is removed", ...(before && { action: undo(before) }) }) },
        ),
      );
    },
  };
}

/** The logo's bytes, before they are gone; undefined where there are none, or they cannot be had. */
async function kept(address: string | null): Promise<Blob | undefined> {
  if (address === null) return undefined;
  const response = await fetch(address).catch(() => undefined);
  return response?.ok ? response.blob() : undefined;
}
