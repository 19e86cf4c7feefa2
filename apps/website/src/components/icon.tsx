import type { JSX } from 'preact';

/** Strokes of 24 × 24 icons, drawn for this site. */
const SHAPES = {
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M15.5 15.5 20 20',
  upload: 'M12 16V4M7 9l5-5 5 5M4 17v3h16v-3',
  up: 'm5 14 7-7 7 7',
  down: 'm5 10 7 7 7-7',
  comment: 'M4 5h16v11H10l-5 4v-4H4z',
  eye: 'M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6',
  images: 'M8 4h12v12H8zM4 8v12h12M8 14l4-4 3 3 2-2 3 3',
  play: 'M8 5v14l11-7z',
  share: 'M12 15V3M8 7l4-4 4 4M6 11H5v9h14v-9h-1',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  download: 'M12 4v12M7 11l5 5 5-5M4 17v3h16v-3',
  zoom: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M15.5 15.5 20 20M10.5 8v5M8 10.5h5',
  flag: 'M6 21V4h12l-3 4 3 4H6',
  edit: 'M4 20h4L20 8l-4-4L4 16z',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6',
  lock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3',
  key: 'M8 11a4 4 0 1 1 0 8 4 4 0 0 1 0-8M11 12l9-9M16 7l3 3',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  bookmark: 'M6 4h12v17l-6-5-6 5z',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4',
  check: 'm5 12 5 5L20 7',
  close: 'M6 6l12 12M18 6 6 18',
  user: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8M4 21c0-4 3-6 8-6s8 2 8 6',
  shield: 'M12 3 5 6v6c0 4 3 7 7 9 4-2 7-5 7-9V6z',
  shuffle: 'M4 7h3l9 10h4M4 17h3l3-3M14 10l2-3h4M18 5l2 2-2 2M18 15l2 2-2 2',
  drag: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
} as const;

export type IconName = keyof typeof SHAPES;

/** A decorative icon, hidden from screen readers. */
export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} />
    </svg>
  );
}
