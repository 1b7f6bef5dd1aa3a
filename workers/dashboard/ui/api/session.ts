import { useSuspenseQuery } from "@tanstack/react-query";
import { type Session, sessionRoutes } from "#workers/contracts/api/people/session.ts";
import { apiQuery } from "./queries.ts";

export const sessionQuery = {
  ...apiQuery(sessionRoutes.getSession, {}),
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: false as const,
};

export interface Viewer extends Session {
  isRoot: boolean;
}

/** For pages below the shell, which loads the session first. */
export function useViewer(): Viewer {
  const { data } = useSuspenseQuery(sessionQuery);
  return { ...data, isRoot: data.user.role === "ROOT" };
}
