/** Whoever lifts one veil of the page lifts them all, and so with covering again. */
export function enableVeils(): void {
  document.addEventListener(
    'toggle',
    (event) => {
      if (!(event.target instanceof HTMLDetailsElement) || !event.target.matches('[data-veil]')) return;
      const { open } = event.target;
      for (const veil of document.querySelectorAll<HTMLDetailsElement>('[data-veil]')) {
        if (!open) for (const video of veil.querySelectorAll('video')) video.pause();
        veil.open = open;
      }
    },
    true,
  );
}
