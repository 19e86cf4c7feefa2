/** The links of all tiles, in the order of the page. */
export const tiles = (): HTMLAnchorElement[] => [
  ...document.querySelectorAll<HTMLAnchorElement>('[data-grid] [data-tile]'),
];

/** Whether the visitor prefers reduced motion. */
export const prefersReducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
