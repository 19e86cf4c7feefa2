const LOOPS = 'video[data-loop]';

/** The event of a loop's parent when the browser doesn't play the loop, and when a picture replaces it. */
export const LOOP_CHANGED = 'vitrine:loop-changed';

/**
 * Plays the loops of animations while they are visible, unless the visitor has stopped them or prefers reduced motion. A loop
 * that the browser can't play is replaced by the animated picture. Can be called again after media were added.
 */
export function playVisibleLoops(): void {
  for (const loop of document.querySelectorAll<HTMLVideoElement>(`${LOOPS}:not([data-watched])`)) {
    loop.dataset['watched'] = '';
    loop.controls = false;
    const check = (): void => replaceIfUnplayable(loop);
    loop.addEventListener('error', check, true);
    // An error may be past. Before the page is loaded, "no source" may also mean that the browser hasn't chosen one yet.
    if (document.readyState !== 'complete') addEventListener('load', check, { once: true });
    visible.observe(loop);
  }
}

export const prefersReducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

const visible = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!(target instanceof HTMLVideoElement)) continue;
    if (!isIntersecting) target.pause();
    else if (!prefersReducedMotion() && target.dataset['paused'] === undefined) playLoop(target);
  }
});

/** Plays a loop; it counts as paused if the browser allows no video to start by itself. */
export function playLoop(loop: HTMLVideoElement): void {
  loop.play().catch((error: unknown) => {
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return;
    loop.dataset['paused'] = '';
    tellChange(loop.parentElement);
  });
}

const tellChange = (parent: Element | null): boolean | undefined =>
  parent?.dispatchEvent(new Event(LOOP_CHANGED));

/** With reduced motion the browser has no source, but could play one. */
function replaceIfUnplayable(loop: HTMLVideoElement): void {
  const isUnplayable = loop.error !== null || loop.networkState === HTMLMediaElement.NETWORK_NO_SOURCE;
  if (!isUnplayable || (prefersReducedMotion() && loop.error === null) || !loop.isConnected) return;
  const image = document.createElement('img');
  image.className = loop.className;
  image.alt = loop.ariaLabel ?? '';
  image.src = loop.dataset['loop'] ?? '';
  visible.unobserve(loop);
  const parent = loop.parentElement;
  loop.replaceWith(image);
  tellChange(parent);
}
