/** The style sheet of all pages. */
export const STYLES = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1c2024, #e8eaed);
  --quiet: light-dark(#5c6670, #9aa4ae);
  --line: light-dark(#e1e5e9, #30363c);
  --ground: light-dark(#fbfcfd, #15181b);
  --card: light-dark(#ffffff, #1c2024);
  --link: light-dark(#0b57d0, #8ab4f8);
  --good: light-dark(#0b6b3a, #7ddba3);
  --busy: light-dark(#8a5300, #f2c063);
  --bad: light-dark(#b3261e, #f2a29c);
  font: 15px/1.5 system-ui, sans-serif;
}
body { margin: 0; background: var(--ground); color: var(--text); }
header { display: flex; justify-content: space-between; gap: 1rem; padding: 0.75rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--card); }
.brand { color: inherit; font-weight: 650; text-decoration: none; }
.caller, .quiet { color: var(--quiet); }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.35rem; margin: 0 0 1rem; }
h1 .quiet { font-weight: 400; font-size: 1rem; margin-left: 0.4rem; }
.table { overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.55rem 0.9rem; text-align: left; white-space: nowrap; }
th { color: var(--quiet); font-size: 0.85rem; font-weight: 550; }
tbody tr { border-top: 1px solid var(--line); }
a { color: var(--link); }
.state::before { content: ""; display: inline-block; width: 0.5em; height: 0.5em; margin-right: 0.45em; border-radius: 50%; background: currentColor; vertical-align: 0.08em; }
.good { color: var(--good); }
.busy { color: var(--busy); }
.bad { color: var(--bad); }
.notice { margin: 15vh auto; max-width: 32rem; text-align: center; color: var(--quiet); font-size: 1.05rem; }
nav { display: flex; gap: 1rem; justify-content: center; margin-top: 1rem; }
`;
