/** Style sheet of document pages. */
export const STYLES = `
*, *::before, *::after { box-sizing: border-box; }
html { font: 15px/1.55 "Inter", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1rem; padding: 0.75rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--card); }
.brand { color: inherit; font-weight: 650; text-decoration: none; }
.caller, .quiet { color: var(--quiet); }
main { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 0 2.5rem; max-width: 96rem; margin: 0 auto; padding: 1.5rem; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; letter-spacing: -0.015em; }
h2 { margin: 3rem 0 0.5rem; font-size: 1.3rem; letter-spacing: -0.01em; }
h3 { margin: 0; font-size: 1.05rem; }
h4 { margin: 1.4rem 0 0.35rem; font-size: 0.85rem; font-weight: 600; color: var(--quiet); }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
p { margin: 0.5rem 0 0; max-width: 46rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.88em; }
pre { max-height: 26rem; margin: 0; overflow: auto; padding: 0.8rem 0.9rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--sunken); line-height: 1.5; overflow-wrap: normal; }
nav { grid-area: 1 / 1 / span 2; position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow: auto; font-size: 0.92rem; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav > ul + ul { margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
nav a { display: block; padding: 0.15rem 0.25rem; color: var(--soft); text-decoration: none; }
nav a:hover { color: var(--text); text-decoration: underline; }
nav summary { padding: 0.15rem 0.25rem; color: var(--soft); cursor: pointer; }
nav details[open] > summary { color: var(--text); font-weight: 600; }
nav details ul { margin: 0 0 0.4rem; padding-left: 1rem; }
article { margin-top: 2rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.address { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.35rem 0.6rem; margin-top: 0.3rem; }
.method { font: 600 0.75rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; padding: 0 0.45rem; border-radius: 0.3rem; }
.get { background: var(--info-soft); color: var(--info); }
.post { background: var(--good-soft); color: var(--good); }
.put { background: var(--busy-soft); color: var(--busy); }
.delete { background: var(--bad-soft); color: var(--bad); }
.roles { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.4rem; font-size: 0.85rem; }
.role { padding: 0 0.45rem; border: 1px solid var(--line-strong); border-radius: 0.3rem; color: var(--soft); font: 0.75rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); gap: 0 2.5rem; }
.sides > * { min-width: 0; }
.examples h4:first-child { margin-top: 0.5rem; }
.fields { margin: 0; }
.fields > div { padding: 0.4rem 0; border-top: 1px solid var(--line); }
.fields > div:first-child { border-top: 0; }
.fields dt code { font-weight: 600; }
.fields dd { max-width: 46rem; margin: 0.1rem 0 0; color: var(--soft); font-size: 0.93rem; }
dt > .type, .presence { margin-left: 0.35rem; }
.type, .presence { color: var(--quiet); font-size: 0.85rem; }
.required { color: var(--busy); }
.scroll { margin-top: 0.9rem; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.93rem; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: normal; }
th { color: var(--quiet); font-weight: 600; }
:target > h3, tr:target { background: var(--info-soft); }
:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
@media (max-width: 75rem) {
  .examples h4:first-child { margin-top: 1.4rem; }
  .sides { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 50rem) {
  header, main { padding-left: 1rem; padding-right: 1rem; }
  main { grid-template-columns: minmax(0, 1fr); }
  nav { grid-area: auto; position: static; margin-top: 1.25rem; max-height: none; padding: 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); }
  nav a, nav summary { padding: 0.35rem 0.25rem; }
  nav > ul { columns: 2; }
  nav li { break-inside: avoid; }
  table, thead, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  td { padding: 0.1rem 0; border: 0; }
}
`;
