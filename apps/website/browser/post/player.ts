import { readStored, store } from '../dom/browser-storage';

const KEY = 'vitrine:player';

/** What the browser remembers for the next video. */
interface Wishes {
  readonly volume?: number;
  readonly muted?: boolean;
  readonly speed?: number;
  /** The name of a size; empty for the one that suits the window. */
  readonly quality?: string;
}

/**
 * Lets visitors choose speed, quality and repetition of videos, remembers speed, quality and volume, and plays the original of
 * a video that is still being processed if the browser can.
 */
export function enablePlayers(): void {
  prepare();
  document.addEventListener('vitrine:replaced', prepare);
  document.addEventListener('change', ({ target }) => {
    const menu = target instanceof Element ? target.closest<HTMLElement>('[data-player]') : null;
    const video = menu && videoOf(menu);
    if (!video) return;
    if (target instanceof HTMLInputElement) video.loop = target.checked;
    else if (target instanceof HTMLSelectElement && target.name === 'speed') setSpeed(video, +target.value);
    else if (target instanceof HTMLSelectElement) setQuality(video, target, target.value);
  });
  // This event doesn't bubble. Loops are always silent.
  const rememberVolume = ({ target }: Event): void => {
    if (target instanceof HTMLVideoElement && !target.matches('[data-loop]'))
      remember({ volume: target.volume, muted: target.muted });
  };
  document.addEventListener('volumechange', rememberVolume, true);
}

function prepare(): void {
  for (const stage of document.querySelectorAll<HTMLElement>('[data-original]')) playOriginal(stage);
  const { volume = 1, muted = false, speed = 1, quality = '' } = wishes();
  for (const menu of document.querySelectorAll<HTMLElement>('[data-player]')) {
    const video = videoOf(menu);
    menu.hidden = !video;
    if (!video || video.dataset['ready'] !== undefined) continue;
    video.dataset['ready'] = '';
    [video.volume, video.muted] = [volume, muted];
    // Firefox keeps the checkbox over a reload.
    video.loop = menu.querySelector('input')?.checked ?? false;
    const [speeds, sizes] = menu.querySelectorAll('select');
    if (speed !== 1) setSpeed(video, speed);
    if (speeds) speeds.value = String(speed);
    // While it is processed, there is only the original.
    if (sizes) sizes.disabled = video.matches('[data-due] video');
    if (sizes && !sizes.disabled && quality !== '') setQuality(video, sizes, quality);
  }
}

const videoOf = (menu: HTMLElement): HTMLVideoElement | null =>
  menu.closest('.post-media')?.querySelector<HTMLVideoElement>('.stage video') ?? null;

function setSpeed(video: HTMLVideoElement, speed: number): void {
  [video.defaultPlaybackRate, video.playbackRate] = [speed, speed];
  remember({ speed });
}

/** Continues the video in another size; in the largest one if the video isn't that large. */
function setQuality(video: HTMLVideoElement, sizes: HTMLSelectElement, quality: string): void {
  remember({ quality });
  sizes.value = quality;
  if (sizes.selectedIndex < 0) sizes.selectedIndex = sizes.options.length - 1;
  const address = sizes.selectedOptions[0]?.dataset['address'] ?? '';
  const { currentTime, paused, playbackRate } = video;
  if (address === '') video.removeAttribute('src');
  else video.src = address;
  video.load();
  video.playbackRate = playbackRate;
  continueAt(video, currentTime);
  if (!paused) void video.play();
}

/** Continues a video that has just been set. Safari freezes if it is told the position before it knows the length. */
export function continueAt(video: HTMLVideoElement, seconds: number): void {
  if (seconds > 0)
    video.addEventListener('loadedmetadata', () => (video.currentTime = seconds), { once: true });
}

function playOriginal(stage: HTMLElement): void {
  const { original, type = '' } = stage.dataset;
  delete stage.dataset['original'];
  const video = document.createElement('video');
  // Browsers deny QuickTime, but play most such files.
  const isPlayable = video.canPlayType(type === 'video/quicktime' ? 'video/mp4' : type) !== '';
  if (original === undefined || !isPlayable || stage.closest('[data-veil]:not([open])')) return;
  const giveUp = (): void => {
    video.remove();
    prepare();
  };
  video.addEventListener('error', giveUp);
  video.addEventListener('loadedmetadata', () => {
    if (video.videoWidth === 0) giveUp();
  });
  [video.controls, video.playsInline, video.preload] = [true, true, 'metadata'];
  video.ariaLabel = 'Video';
  // The first frame is shown like a poster.
  video.src = `${original}#t=0.001`;
  stage.querySelector('.frame')?.append(video);
}

function wishes(): Wishes {
  try {
    const stored = JSON.parse(readStored('localStorage', KEY) ?? '{}') as Wishes;
    return { ...stored, volume: Math.min(1, Math.max(0, Number(stored.volume ?? 1))) };
  } catch {
    return {};
  }
}

const remember = (changed: Wishes): void =>
  store('localStorage', KEY, JSON.stringify({ ...wishes(), ...changed }));
