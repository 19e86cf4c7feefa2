/** The site's whole look: system fonts, both colour schemes, readable from a phone to a desk. */
export const STYLE = `:root {
  --ground: #fbfaf8;
  --ink: #1d1b19;
  --quiet: #6b655e;
  --edge: #e3ded7;
  --accent: #a4481f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #161513;
    --ink: #ece8e2;
    --quiet: #a29a90;
    --edge: #35312c;
    --accent: #f0986b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  padding: 1.5rem;
  max-width: 44rem;
  background: var(--ground);
  color: var(--ink);
  font: 1.0625rem/1.6 system-ui, sans-serif;
}
header a {
  display: inline-flex;
  align-items: center;
  gap: 0.6rem;
  color: inherit;
  font-weight: 650;
  text-decoration: none;
}
main { padding: 2.5rem 0; }
h1 { margin: 0 0 1rem; font-size: clamp(2rem, 7vw, 3rem); line-height: 1.1; letter-spacing: -0.02em; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.15rem; }
.lead { font-size: 1.25rem; color: var(--quiet); }
.note { padding: 0.9rem 1.1rem; border: 1px solid var(--edge); border-left: 4px solid var(--accent); border-radius: 6px; }
a { color: var(--accent); }
pre { padding: 1rem 1.1rem; border: 1px solid var(--edge); border-radius: 6px; overflow-x: auto; line-height: 1.5; }
code { font-family: ui-monospace, monospace; font-size: 0.875rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.4rem 1.5rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
`;

/** A showcase: a frame, and light falling on what it shows. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="4" width="28" height="24" rx="4" fill="#a4481f"/><path d="M6 24 13 14l5 6 3-4 5 8z" fill="#fbfaf8"/><circle cx="22" cy="11" r="2.5" fill="#f6c9ad"/></svg>
`;
