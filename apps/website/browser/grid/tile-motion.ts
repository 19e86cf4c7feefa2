import { prefersReducedMotion } from './tiles';

/** Time in milliseconds that the pointer rests on a picture before it plays. */
const REST_MS = 120;

/**
 * Stops videos and animations until the visitor points at them, focuses them or presses their button. With reduced
 * motion, only the button plays them. Can be called again after tiles were added.
 */
export function stopTileMotion(): void {
  for (const link of document.querySelectorAll<HTMLElement>('[data-motion]:not([data-still])')) {
    link.dataset['still'] = '';
    if (link.dataset['play'] === undefined) showFirstFrame(link);
    const button = playButton(link);
    let waiting: number | undefined;
    const play = (): void => {
      if (!prefersReducedMotion()) start(link, button);
    };
    const rest = (): void => {
      clearTimeout(waiting);
      // With reduced motion, only the button starts and stops it.
      if (prefersReducedMotion()) return;
      if (link !== document.activeElement) stop(link, button);
    };
    link.addEventListener('pointerenter', ({ pointerType }) => {
      if (pointerType === 'mouse') waiting = setTimeout(play, REST_MS);
    });
    link.addEventListener('pointerleave', rest);
    link.addEventListener('focus', () => {
      if (link.matches(':focus-visible')) play();
    });
    link.addEventListener('blur', () => stop(link, button));
  }
}

/** Covers an animated image, which has no still, with its first frame. */
function showFirstFrame(link: HTMLElement): void {
  const image = link.querySelector<HTMLImageElement>('.picture-image');
  if (!image) return;
  const draw = (): void => {
    const canvas = document.createElement('canvas');
    canvas.className = 'picture-still';
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    link.querySelector('.picture-still')?.remove();
    image.closest('.picture')?.append(canvas);
  };
  // Removes the source that replaces the image with reduced motion.
  image.parentElement?.querySelector('source')?.remove();
  if (image.complete && image.naturalWidth > 0) draw();
  // Again if another size is loaded, for example after the phone was turned.
  image.addEventListener('load', draw);
}

function playButton(link: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'tile-play';
  const name =
    link.querySelector('.tile-title')?.textContent ??
    link.querySelector('[alt]:not([alt=""])')?.getAttribute('alt');
  button.ariaLabel = `Play ${name ?? 'it'}`;
  button.ariaPressed = 'false';
  button.addEventListener('click', () =>
    button.ariaPressed === 'true' ? stop(link, button) : start(link, button),
  );
  link.after(button);
  return button;
}

function start(link: HTMLElement, button: HTMLButtonElement): void {
  if (button.ariaPressed === 'true') return;
  for (const other of document.querySelectorAll<HTMLButtonElement>('.tile-play[aria-pressed="true"]')) {
    const playing = other.previousElementSibling;
    if (playing instanceof HTMLElement) stop(playing, other);
  }
  button.ariaPressed = 'true';
  link.classList.add('is-playing');
  const address = link.dataset['play'];
  if (address === undefined) return;
  if (link.dataset['motion'] === 'video') playVideo(link, button, address);
  else playImage(link, address);
}

/** Shows an animated image over its still once its first frame is there. */
function playImage(link: HTMLElement, address: string): void {
  const image = document.createElement('img');
  image.className = 'picture-moving';
  image.alt = '';
  image.addEventListener('load', () => image.classList.add('is-shown'), { once: true });
  image.src = address;
  link.querySelector('.picture')?.append(image);
}

function playVideo(link: HTMLElement, button: HTMLButtonElement, address: string): void {
  const video = document.createElement('video');
  video.className = 'picture-moving';
  video.muted = true;
  video.loop = true;
  video.playsInline = true;
  video.tabIndex = -1;
  video.ariaHidden = 'true';
  video.src = address;
  // The still picture stays visible until the video plays.
  video.addEventListener('playing', () => video.classList.add('is-shown'), { once: true });
  link.querySelector('.picture')?.append(video);
  video.play().catch(() => stop(link, button));
}

function stop(link: HTMLElement, button: HTMLButtonElement): void {
  button.ariaPressed = 'false';
  link.classList.remove('is-playing');
  const moving = link.querySelector<HTMLVideoElement | HTMLImageElement>('.picture-moving');
  if (!moving) return;
  // Ends the download.
  moving.removeAttribute('src');
  if (moving instanceof HTMLVideoElement) moving.load();
  moving.remove();
}
