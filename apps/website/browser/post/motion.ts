/** Lets visitors pause animated pictures, and play those that are still because of reduced motion. */
export function enableMotion(): void {
  showButtons();
  document.addEventListener('vitrine:replaced', showButtons);
  document.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element && event.target.closest<HTMLElement>('[data-motion-button]');
    const image = button && imageOf(button);
    if (!image) return;
    if (isStill(image)) play(image);
    else pause(image);
    tell(button, image);
  });
}

function showButtons(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-motion-button]')) {
    const image = imageOf(button);
    if (!image) continue;
    button.hidden = false;
    tell(button, image);
  }
}

const imageOf = (button: HTMLElement): HTMLImageElement | null =>
  button.closest('.post-media')?.querySelector<HTMLImageElement>('.picture-image') ?? null;

/** Paused by the visitor, or replaced by a still source because of reduced motion. */
const isStill = (image: HTMLImageElement): boolean =>
  image.classList.contains('covered') ||
  (matchMedia('(prefers-reduced-motion: reduce)').matches && sourcesOf(image).length > 0);

const sourcesOf = (image: HTMLImageElement): Element[] => [
  ...(image.parentElement?.querySelectorAll('source') ?? []),
];

function tell(button: HTMLElement, image: HTMLImageElement): void {
  const still = isStill(image);
  button.textContent = still ? 'Play' : 'Pause';
  button.classList.toggle('still', still);
}

function play(image: HTMLImageElement): void {
  for (const source of sourcesOf(image)) source.remove();
  image.parentElement?.querySelector('canvas')?.remove();
  image.classList.remove('covered');
}

/** Covers the picture with its current frame. */
function pause(image: HTMLImageElement): void {
  const frame = document.createElement('canvas');
  frame.width = image.naturalWidth;
  frame.height = image.naturalHeight;
  frame.className = 'picture-frame';
  frame.ariaHidden = 'true';
  frame.getContext('2d')?.drawImage(image, 0, 0);
  image.after(frame);
  image.classList.add('covered');
}
