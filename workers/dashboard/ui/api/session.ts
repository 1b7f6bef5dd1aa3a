/** Who is logged in: read once, before the first page is shown. */
import { useSuspenseQuery } from "@tanstack/react-query";
import { type Session, sessionRoutes } from "#workers/contracts/api/people/session.ts";
import { read } from "./queries.ts";

export const sessionQuery = {
  ...read(sessionRoutes.getSession, {}),
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: false as const,
};

export interface Viewer extends Session {
  /** Whether all of the platform is the viewer's. */
  isRoot: boolean;
}

/** Of pages below the frame, which shows none before it is known. */
export function useViewer(): Viewer {
  const { data } = useSuspenseQuery(sessionQuery);
  return { ...data, isRoot: data.user.role === "ROOT" };
}
