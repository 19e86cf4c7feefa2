const SHOWN_MS = 6_000;

/** Tells the visitor one line, on screen and to screen readers. Errors stay until the next notice. */
export function notify(text: string, kind: 'notice' | 'error' = 'notice'): void {
  const place = document.getElementById('notices');
  if (!place) return;
  const line = document.createElement('p');
  line.className = kind === 'error' ? 'notice error' : 'notice';
  line.textContent = text;
  place.replaceChildren(line);
  if (kind === 'notice') removeLater(line);
}

/** Lets the line that came with the page go after the same time: it stands over the page's top, wherever that is. */
export function letServedNoticePass(): void {
  const line = document.querySelector('#notices > .notice');
  if (line) removeLater(line);
}

const removeLater = (line: Element): void => void setTimeout(() => line.remove(), SHOWN_MS);
