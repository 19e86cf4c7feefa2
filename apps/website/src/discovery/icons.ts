/**
 * The icons in the folder `icons/`. `purpose` and `sizes` are those of the web manifest; icons without them are not in
 * it.
 */
export const ICONS = [
  { path: 'favicon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
  { path: 'icon-192.png', type: 'image/png', sizes: '192x192', purpose: 'any' },
  { path: 'icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any' },
  { path: 'icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
  { path: 'apple-touch-icon.png', type: 'image/png' },
  { path: 'favicon.ico', type: 'image/x-icon' },
] as const;
