/** Style sheet of document pages. */
export const STYLES = `
html { font: 15px/1.5 "Inter", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body { margin: 0; background: var(--ground); color: var(--text); }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1rem; padding: 0.75rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--card); }
.brand { color: inherit; font-weight: 650; text-decoration: none; }
.caller, .quiet { color: var(--quiet); }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem; }
h1 { margin: 0 0 1rem; font-size: 1.35rem; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.05rem; }
details { border-top: 1px solid var(--line); }
summary { padding: 0.5rem 0.25rem; cursor: pointer; overflow-wrap: anywhere; }
details > p { margin: 0.25rem; }
pre { max-height: 30rem; overflow: auto; padding: 0.9rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.9em; }
a { color: var(--link); }
:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
`;
