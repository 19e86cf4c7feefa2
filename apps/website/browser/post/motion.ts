/** Lets visitors stop animated pictures, and start those that stand still because less motion was asked for. */
export function enableMotion(): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-motion-button]')) {
    const media = button.closest('.post-media');
    const image = media?.querySelector<HTMLImageElement>('.picture-image');
    if (!media || !image) continue;
    button.hidden = false;
    let playing = !(still && image.parentElement?.querySelector('source'));
    button.textContent = playing ? 'Pause' : 'Play';
    button.addEventListener('click', () => {
      playing = !playing;
      button.textContent = playing ? 'Pause' : 'Play';
      if (playing) play(image);
      else pause(image);
    });
  }
}

function play(image: HTMLImageElement): void {
  for (const source of image.parentElement?.querySelectorAll('source') ?? []) source.remove();
  image.parentElement?.querySelector('canvas')?.remove();
  image.classList.remove('covered');
}

/** Puts one frame of it over it. */
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
