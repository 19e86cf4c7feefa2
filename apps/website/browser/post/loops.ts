const LOOPS = 'video[data-loop]';

/**
 * Plays the loops of animations while they are visible, unless the visitor has stopped them or prefers reduced motion. A loop
 * that the browser can't play is replaced by the animated picture. Can be called again after media were added.
 */
export function playVisibleLoops(): void {
  for (const loop of document.querySelectorAll<HTMLVideoElement>(`${LOOPS}:not([data-watched])`)) {
    loop.dataset['watched'] = '';
    loop.controls = false;
    loop.addEventListener('error', () => replaceIfUnplayable(loop), true);
    replaceIfUnplayable(loop);
    visible.observe(loop);
  }
}

const prefersReducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

const visible = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!(target instanceof HTMLVideoElement)) continue;
    if (!isIntersecting) target.pause();
    else if (!prefersReducedMotion() && target.dataset['paused'] === undefined)
      void target.play().catch(() => undefined);
  }
});

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
  parent?.dispatchEvent(new Event('vitrine:loop-replaced'));
}
