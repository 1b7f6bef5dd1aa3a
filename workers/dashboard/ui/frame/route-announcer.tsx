import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

/** Announces the page's title after a navigation, and focuses the page if the focused link was removed with the previous one. */
export function RouteAnnouncer() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [title, setTitle] = useState("");
  const first = useRef(path);
  useEffect(() => {
    if (path === first.current) return;
    first.current = "";
    const announce = () => {
      setTitle(document.title);
      if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
    };
    announce();
    // Pages load lazily, and some are named after their data.
    const observer = new MutationObserver(announce);
    const element = document.querySelector("title");
    if (element !== null) observer.observe(element, { childList: true });
    return () => observer.disconnect();
  }, [path]);
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}
