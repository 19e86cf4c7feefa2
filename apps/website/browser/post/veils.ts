/** Uncovers all adult content of the page when one item is uncovered, and covers all when one is covered. */
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
