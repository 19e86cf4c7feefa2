/** The links of all tiles, in the order of the page. */
export const tiles = (): HTMLAnchorElement[] => [
  ...document.querySelectorAll<HTMLAnchorElement>('[data-grid] [data-tile]'),
];

/** Whether the visitor wants things to keep still. */
export const wantsStillness = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
