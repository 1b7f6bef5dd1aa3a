/** Styles of the console's pages. */
export const SHEET = `
.pages { display: flex; flex-wrap: wrap; gap: 0.25rem; }
.pages a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0.4rem 0.9rem; border: 1px solid transparent; border-radius: 0.55rem; color: var(--on-ground); text-decoration: none; }
.pages a:hover { text-decoration: underline; }
.pages a[aria-current] { border-color: var(--line); background: var(--card); color: var(--text); font-weight: 600; }
form { margin-top: 0.75rem; }
label { display: block; margin-top: 0.9rem; color: var(--text); font-weight: 550; }
input, select { display: block; width: 100%; min-height: 2.75rem; margin-top: 0.3rem; padding: 0.45rem 0.7rem; border: 1px solid var(--line-strong); border-radius: 0.55rem; background: var(--card); color: var(--text); font: inherit; font-weight: 400; }
h3 { margin: 0; font-size: 1rem; font-weight: 600; }
.items { margin: 0; padding: 0; list-style: none; }
.items > li { padding: 1rem 0; border-top: 1px solid var(--line); }
.items dl { margin: 0.6rem 0 0.9rem; padding: 0; border: 0; gap: 0.15rem 1.25rem; }
.items .row { margin-top: 0.6rem; }
.fault { padding: 0.7rem 0.9rem; border-radius: 0.55rem; background: var(--bad-soft); color: var(--bad); }
.done { padding: 0.7rem 0.9rem; border-radius: 0.55rem; background: var(--good-soft); color: var(--good); }
`;
