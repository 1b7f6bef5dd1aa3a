/** Sets `--scrollbar` to the width of a scrollbar in pixels, now and after each zoom. Scrollbars that float above the page have none. */
export function measureScrollbar(): void {
  const probe = document.createElement("div");
  probe.style.cssText = "position: fixed; visibility: hidden; width: 100px; overflow: scroll";
  const measure = () => {
    document.body.append(probe);
    document.documentElement.style.setProperty("--scrollbar", `${probe.offsetWidth - probe.clientWidth}px`);
    probe.remove();
  };
  measure();
  window.addEventListener("resize", measure);
}
