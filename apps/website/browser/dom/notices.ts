const SHOWN_MS = 6_000;

/** Shows a notice, which screen readers announce. Errors stay until the next notice. */
export function showNotice(text: string, kind: 'notice' | 'error' = 'notice'): void {
  const place = document.getElementById('notices');
  if (!place) return;
  const line = document.createElement('p');
  line.className = kind === 'error' ? 'notice error' : 'notice';
  line.textContent = text;
  place.replaceChildren(line);
  if (kind === 'notice') removeLater(line);
}

/** Hides the notice that came with the page after the same time, because it covers the top of the page. */
export function hideServedNoticeLater(): void {
  const line = document.querySelector('#notices > .notice');
  if (line) removeLater(line);
}

/** A notice with a button stays longer, because the visitor must reach it. */
const removeLater = (line: Element): void =>
  void setTimeout(() => line.remove(), line.querySelector('button') ? 5 * SHOWN_MS : SHOWN_MS);
