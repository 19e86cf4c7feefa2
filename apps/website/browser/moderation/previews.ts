/** A press that is longer than this, in milliseconds, shows the file only while it lasts. */
const PEEK_MS = 350;

const isPreview = (target: EventTarget | null): target is HTMLDetailsElement =>
  target instanceof HTMLDetailsElement && target.classList.contains('preview');

/** Opens and closes previews on click; a long press shows the file only while it lasts. Opened videos play. */
export function enablePreviews(): void {
  let pressed: { readonly preview: HTMLDetailsElement; readonly at: number } | null = null;

  document.addEventListener('pointerdown', (event) => {
    const summary = (event.target as Element).closest('summary');
    const preview = summary?.parentElement ?? null;
    if (!isPreview(preview) || preview.open || event.button !== 0) return;
    preview.open = true;
    pressed = { preview, at: event.timeStamp };
  });
  document.addEventListener('click', (event) => {
    const press = pressed;
    pressed = null;
    const preview = (event.target as Element).closest('.preview');
    if (!isPreview(preview)) return;
    const isOnFile = (event.target as Element).matches('.preview-file img');
    const isOnSummary = (event.target as Element).closest('summary') !== null;
    if (isOnFile) preview.open = false;
    if (!isOnSummary || press?.preview !== preview) return;
    // The press itself has opened it.
    event.preventDefault();
    if (event.timeStamp - press.at > PEEK_MS) preview.open = false;
  });
  const letGo = (event: Event): void => {
    if (pressed && event.timeStamp - pressed.at > PEEK_MS) pressed.preview.open = false;
  };
  document.addEventListener('pointerup', letGo);
  // The finger scrolls the page, so it was no press.
  document.addEventListener('pointercancel', () => {
    if (pressed) pressed.preview.open = false;
    pressed = null;
  });

  // `toggle` doesn't bubble.
  document.addEventListener('toggle', ({ target }) => isPreview(target) && play(target), true);
}

function play(preview: HTMLDetailsElement): void {
  const video = preview.querySelector('video');
  if (!video) return;
  if (!preview.open) video.pause();
  else if (!matchMedia('(prefers-reduced-motion: reduce)').matches) void video.play().catch(() => undefined);
}
