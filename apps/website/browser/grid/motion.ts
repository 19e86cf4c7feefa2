import { wantsStillness } from './tiles';

/** How long the pointer rests on a picture before it plays. */
const REST_MS = 120;

/**
 * Videos and animations keep still until somebody points at them, focuses them, or presses their button. Where motion
 * is unwanted the button alone plays them. Can be called again after tiles were added.
 */
export function stillMotion(): void {
  for (const link of document.querySelectorAll<HTMLElement>('[data-motion]:not([data-still])')) {
    link.dataset['still'] = '';
    if (link.dataset['motion'] === 'image') freeze(link);
    const button = playButton(link);
    let waiting: number | undefined;
    const play = (): void => {
      if (!wantsStillness()) start(link, button);
    };
    const rest = (): void => {
      clearTimeout(waiting);
      // There the button has started it, and stops it.
      if (wantsStillness()) return;
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

/** Shows the first frame of an animated image in its place. */
function freeze(link: HTMLElement): void {
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
  // Without the source that stands in for it where motion is unwanted.
  image.parentElement?.querySelector('source')?.remove();
  if (image.complete && image.naturalWidth > 0) draw();
  // Again where another size has come, say after the phone was turned.
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
  if (link.dataset['motion'] !== 'video' || address === undefined) return;
  const video = document.createElement('video');
  video.className = 'picture-video';
  video.muted = true;
  video.loop = true;
  video.playsInline = true;
  video.tabIndex = -1;
  video.ariaHidden = 'true';
  video.src = address;
  // The still stays in sight until there is something to see.
  video.addEventListener('playing', () => video.classList.add('is-shown'), { once: true });
  link.querySelector('.picture')?.append(video);
  video.play().catch(() => stop(link, button));
}

function stop(link: HTMLElement, button: HTMLButtonElement): void {
  button.ariaPressed = 'false';
  link.classList.remove('is-playing');
  const video = link.querySelector<HTMLVideoElement>('.picture-video');
  if (!video) return;
  video.pause();
  video.removeAttribute('src');
  // Ends the download.
  video.load();
  video.remove();
}
