/** A property that draws: its initial value, and whether elements take it from their parent. */
export interface Property {
  readonly initial: string;
  readonly inherited: boolean;
}

const inherited = (initial: string): Property => ({ initial, inherited: true });
const own = (initial: string): Property => ({ initial, inherited: false });

/**
 * The properties that usvg knows as presentation attributes, with the initial values of SVG 2 and CSS (appendix
 * "Property Index" of SVG 2). `transform` and the geometry are attributes in SVG 1.1 and properties since SVG 2.
 */
export const PROPERTIES: Readonly<Record<string, Property>> = {
  'alignment-baseline': own('auto'),
  'baseline-shift': own('baseline'),
  'clip-path': own('none'),
  'clip-rule': inherited('nonzero'),
  color: inherited('black'),
  'color-interpolation': inherited('sRGB'),
  'color-interpolation-filters': inherited('linearRGB'),
  cx: own('0'),
  cy: own('0'),
  d: own('none'),
  direction: inherited('ltr'),
  display: own('inline'),
  'dominant-baseline': inherited('auto'),
  fill: inherited('black'),
  'fill-opacity': inherited('1'),
  'fill-rule': inherited('nonzero'),
  filter: own('none'),
  'flood-color': own('black'),
  'flood-opacity': own('1'),
  'font-family': inherited('serif'),
  'font-kerning': inherited('auto'),
  'font-size': inherited('16px'),
  'font-stretch': inherited('normal'),
  'font-style': inherited('normal'),
  'font-variant': inherited('normal'),
  'font-weight': inherited('normal'),
  height: own('auto'),
  'image-rendering': inherited('auto'),
  isolation: own('auto'),
  'letter-spacing': inherited('normal'),
  'lighting-color': own('white'),
  'marker-end': inherited('none'),
  'marker-mid': inherited('none'),
  'marker-start': inherited('none'),
  mask: own('none'),
  'mask-type': own('luminance'),
  'mix-blend-mode': own('normal'),
  opacity: own('1'),
  overflow: own('hidden'),
  'paint-order': inherited('normal'),
  r: own('0'),
  rx: own('auto'),
  ry: own('auto'),
  'shape-rendering': inherited('auto'),
  'stop-color': own('black'),
  'stop-opacity': own('1'),
  stroke: inherited('none'),
  'stroke-dasharray': inherited('none'),
  'stroke-dashoffset': inherited('0'),
  'stroke-linecap': inherited('butt'),
  'stroke-linejoin': inherited('miter'),
  'stroke-miterlimit': inherited('4'),
  'stroke-opacity': inherited('1'),
  'stroke-width': inherited('1'),
  'text-anchor': inherited('start'),
  'text-decoration': own('none'),
  'text-rendering': inherited('auto'),
  transform: own('none'),
  'transform-box': own('view-box'),
  'transform-origin': own('0 0'),
  'unicode-bidi': own('normal'),
  visibility: inherited('visible'),
  width: own('auto'),
  'word-spacing': inherited('normal'),
  'writing-mode': inherited('horizontal-tb'),
  x: own('0'),
  y: own('0'),
};

/** The properties whose value is one colour, or a paint with a colour. */
export const COLOURS: ReadonlySet<string> = new Set([
  ...['color', 'fill', 'stroke', 'stop-color', 'flood-color', 'lighting-color', 'background-color'],
]);

/** The properties that have no presentation attribute. */
export const STYLE_ONLY: ReadonlySet<string> = new Set(['mix-blend-mode', 'isolation', 'transform-box']);

/** The properties whose values are key words. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...['display', 'visibility', 'overflow', 'clip-rule', 'fill-rule', 'stroke-linecap', 'stroke-linejoin'],
  ...[
    'text-anchor',
    'text-decoration',
    'font-style',
    'font-weight',
    'mix-blend-mode',
    'isolation',
    'mask-type',
  ],
]);
