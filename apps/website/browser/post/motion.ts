import { LOOP_CHANGED, playLoop, playVisibleLoops, prefersReducedMotion } from './loops';

/** A moving picture: an animated image, or an animation as video. */
type Moving = HTMLImageElement | HTMLVideoElement;

/** Lets visitors pause animated pictures, and play those that are still because of reduced motion. */
export function enableMotion(): void {
  const show = (): void => {
    playVisibleLoops();
    showButtons();
  };
  show();
  document.addEventListener('vitrine:replaced', show);
  document.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element && event.target.closest<HTMLElement>('[data-motion-button]');
    const moving = button && movingOf(button);
    if (!moving) return;
    if (isStill(moving)) play(moving);
    else pause(moving);
    tell(button, moving);
  });
  // The browser or another script has started, stopped or replaced a loop. These events don't bubble.
  for (const type of ['play', 'pause', LOOP_CHANGED])
    document.addEventListener(type, ({ target }) => target instanceof Element && showButtons(), true);
}

function showButtons(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-motion-button]')) {
    const moving = movingOf(button);
    if (!moving) continue;
    button.hidden = false;
    tell(button, moving);
  }
}

const movingOf = (button: HTMLElement): Moving | null =>
  button.closest('.post-media')?.querySelector<Moving>('.picture-image') ?? null;

/** Paused by the visitor or the browser, or not started because of reduced motion. */
const isStill = (moving: Moving): boolean =>
  moving instanceof HTMLVideoElement
    ? moving.dataset['paused'] !== undefined || (prefersReducedMotion() && moving.paused)
    : moving.classList.contains('covered') || (prefersReducedMotion() && sourcesOf(moving).length > 0);

const sourcesOf = (image: HTMLImageElement): Element[] => [
  ...(image.parentElement?.querySelectorAll('source') ?? []),
];

function tell(button: HTMLElement, moving: Moving): void {
  const still = isStill(moving);
  button.textContent = still ? 'Play' : 'Pause';
  button.classList.toggle('still', still);
}

function play(moving: Moving): void {
  if (moving instanceof HTMLVideoElement) {
    delete moving.dataset['paused'];
    const source = moving.querySelector('source');
    // With reduced motion, the browser has chosen no source.
    if (moving.currentSrc === '' && source) moving.src = source.src;
    playLoop(moving);
    return;
  }
  for (const source of sourcesOf(moving)) source.remove();
  moving.parentElement?.querySelector('canvas')?.remove();
  moving.classList.remove('covered');
}

/** Stops a video; covers an image with its current frame, or its first one once it has loaded. */
function pause(moving: Moving): void {
  if (moving instanceof HTMLVideoElement) {
    moving.dataset['paused'] = '';
    moving.pause();
    return;
  }
  const frame = document.createElement('canvas');
  frame.className = 'picture-frame';
  frame.ariaHidden = 'true';
  const draw = (): void => {
    frame.width = moving.naturalWidth;
    frame.height = moving.naturalHeight;
    frame.getContext('2d')?.drawImage(moving, 0, 0);
  };
  if (moving.complete) draw();
  else moving.addEventListener('load', draw, { once: true });
  moving.after(frame);
  moving.classList.add('covered');
}
