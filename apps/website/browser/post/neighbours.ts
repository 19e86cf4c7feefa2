/** Pixels of a swipe, and of its deviation from the horizontal. */
const SWIPE = 80;
const DEVIATION = 50;
/** Milliseconds after which a movement isn't a swipe. */
const LONGEST = 600;
/** Near the edges, the browser's own gestures begin. */
const EDGE = 24;

/** Elements with an own use of arrow keys or swipes. */
const OWN_USE =
  'input, select, textarea, video, audio, dialog, [contenteditable], [role="textbox"], [data-carousel], [data-sortable]';

/** The arrow keys and swipes lead to the post before and after this one in the feed. */
export function enableNeighbours(): void {
  const go = (rel: 'prev' | 'next'): void =>
    document.querySelector<HTMLAnchorElement>(`.post-neighbours a[rel="${rel}"]`)?.click();
  const isFree = (target: EventTarget | null): boolean =>
    target instanceof Element &&
    target.closest(OWN_USE) === null &&
    !scrollsSideways(target) &&
    document.querySelector('dialog[open]') === null;

  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (!isFree(event.target)) return;
    if (event.key === 'ArrowLeft') go('prev');
    else if (event.key === 'ArrowRight') go('next');
  });

  let start: { readonly x: number; readonly y: number; readonly at: number } | null = null;
  document.addEventListener(
    'touchstart',
    ({ touches, target, timeStamp }) => {
      const touch = touches.length === 1 ? touches[0]! : null;
      const inside = touch !== null && touch.clientX > EDGE && touch.clientX < innerWidth - EDGE;
      const zoomed = (visualViewport?.scale ?? 1) > 1.01;
      start =
        inside && !zoomed && isFree(target) ? { x: touch.clientX, y: touch.clientY, at: timeStamp } : null;
    },
    { passive: true },
  );
  document.addEventListener(
    'touchend',
    ({ changedTouches, timeStamp }) => {
      const touch = changedTouches[0];
      if (!start || !touch || timeStamp - start.at > LONGEST) return;
      const [right, down] = [touch.clientX - start.x, touch.clientY - start.y];
      if (Math.abs(right) >= SWIPE && Math.abs(down) <= DEVIATION) go(right > 0 ? 'prev' : 'next');
    },
    { passive: true },
  );
}

/** Whether an element, or one around it, can be scrolled sideways. */
function scrollsSideways(element: Element): boolean {
  for (
    let around: Element | null = element;
    around && around !== document.body;
    around = around.parentElement
  ) {
    if (around.scrollWidth > around.clientWidth && /auto|scroll/.test(getComputedStyle(around).overflowX))
      return true;
  }
  return false;
}
