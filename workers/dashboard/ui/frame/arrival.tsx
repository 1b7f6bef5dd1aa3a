import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

/** Tells who does not see it which page there is now, and gives the focus to the page where it went with the link that led there. */
export function Arrival() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [title, setTitle] = useState("");
  const first = useRef(path);
  useEffect(() => {
    if (path === first.current) return;
    first.current = "";
    const arrive = () => {
      setTitle(document.title);
      if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
    };
    arrive();
    // Pages are loaded, and named by what they read.
    const observer = new MutationObserver(arrive);
    const shown = document.querySelector("title");
    if (shown !== null) observer.observe(shown, { childList: true });
    return () => observer.disconnect();
  }, [path]);
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}
