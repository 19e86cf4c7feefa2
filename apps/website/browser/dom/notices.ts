const SHOWN_MS = 6_000;

/** Tells the visitor one line, on screen and to screen readers. Errors stay until the next notice. */
export function notify(text: string, kind: 'notice' | 'error' = 'notice'): void {
  const place = document.getElementById('notices');
  if (!place) return;
  const line = document.createElement('p');
  line.className = kind === 'error' ? 'notice error' : 'notice';
  line.textContent = text;
  place.replaceChildren(line);
  if (kind === 'notice') setTimeout(() => line.remove(), SHOWN_MS);
}
