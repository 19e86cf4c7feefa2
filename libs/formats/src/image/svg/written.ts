import type { EmbeddedPictures } from './embedded';
import { descendants, svgElement, type SvgElement } from './tree';

/** Every element that usvg writes. */
const ELEMENTS: ReadonlySet<string> = new Set([
  ...[
    'svg',
    'defs',
    'g',
    'path',
    'image',
    'linearGradient',
    'radialGradient',
    'stop',
    'pattern',
    'clipPath',
    'mask',
  ],
  ...[
    'filter',
    'feBlend',
    'feColorMatrix',
    'feComponentTransfer',
    'feFuncR',
    'feFuncG',
    'feFuncB',
    'feFuncA',
  ],
  ...[
    'feComposite',
    'feConvolveMatrix',
    'feDiffuseLighting',
    'feDisplacementMap',
    'feDistantLight',
    'feDropShadow',
  ],
  ...[
    'feFlood',
    'feGaussianBlur',
    'feImage',
    'feMerge',
    'feMergeNode',
    'feMorphology',
    'feOffset',
    'fePointLight',
  ],
  ...['feSpecularLighting', 'feSpotLight', 'feTile', 'feTurbulence'],
]);

/** Every attribute that usvg writes, except `id`, references, `style` and links. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...[
    'width',
    'height',
    'viewBox',
    'preserveAspectRatio',
    'x',
    'y',
    'd',
    'transform',
    'visibility',
    'opacity',
  ],
  ...['fill', 'fill-opacity', 'fill-rule', 'clip-rule', 'stroke', 'stroke-width', 'stroke-opacity'],
  ...['stroke-dasharray', 'stroke-dashoffset', 'stroke-linecap', 'stroke-linejoin', 'stroke-miterlimit'],
  ...['paint-order', 'shape-rendering', 'image-rendering', 'mask-type', 'color-interpolation-filters'],
  ...['x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'fx', 'fy', 'offset', 'stop-color', 'stop-opacity'],
  ...['gradientUnits', 'gradientTransform', 'spreadMethod', 'patternUnits', 'patternContentUnits'],
  ...['patternTransform', 'clipPathUnits', 'maskUnits', 'maskContentUnits', 'filterUnits', 'primitiveUnits'],
  ...['in', 'in2', 'result', 'mode', 'type', 'values', 'tableValues', 'slope', 'intercept', 'amplitude'],
  ...['exponent', 'operator', 'k1', 'k2', 'k3', 'k4', 'order', 'kernelMatrix', 'divisor', 'bias', 'targetX'],
  ...['targetY', 'edgeMode', 'preserveAlpha', 'surfaceScale', 'diffuseConstant', 'specularConstant'],
  ...[
    'specularExponent',
    'lighting-color',
    'scale',
    'xChannelSelector',
    'yChannelSelector',
    'azimuth',
    'elevation',
  ],
  ...['dx', 'dy', 'stdDeviation', 'flood-color', 'flood-opacity', 'radius', 'z', 'pointsAtX', 'pointsAtY'],
  ...['pointsAtZ', 'limitingConeAngle', 'baseFrequency', 'numOctaves', 'seed', 'stitchTiles', 'subregion'],
]);

const REFERENCES: ReadonlySet<string> = new Set(['clip-path', 'mask', 'filter', 'fill', 'stroke']);
const BLENDING = /^(?:mix-blend-mode:[a-z-]+;?)?\s*(?:isolation:(?:isolate|auto);?)?$/;
const NO_REFERENCE = /^[^()&<]*$/;

/**
 * Accepts what usvg has written only if it consists of the elements and attributes that are known to draw alike
 * everywhere, renames the ids, and puts the pictures back.
 * @throws Error if usvg has written anything else, which is a bug of ours.
 */
export function checkWritten(root: SvgElement, pictures: EmbeddedPictures): void {
  const names = new Map<string, string>();
  const rename = (id: string): string => {
    const name = names.get(id) ?? `a${names.size}`;
    names.set(id, name);
    return name;
  };
  const referenced = new Set<string>();
  for (const { name, attributes } of descendants(root)) {
    if (!ELEMENTS.has(name)) throw new Error(`usvg has written an element "${name}"`);
    for (const [key, value] of attributes) {
      if (key === 'id') attributes.set(key, rename(value));
      else if (key === 'd') attributes.set(key, value.replace(/-0(?![.\d])/g, '0'));
      else if (key === 'href') {
        const link = pictures.linkFor(value) ?? localReference(value, rename, referenced);
        if (link === undefined) attributes.delete(key);
        else attributes.set(key, link);
      } else if (REFERENCES.has(key)) {
        attributes.set(
          key,
          value.replace(/url\(#([^()]*)\)/g, (_, id: string) => {
            referenced.add(rename(id));
            return `url(#${rename(id)})`;
          }),
        );
      } else if (key === 'style' ? !BLENDING.test(value) : !(ATTRIBUTES.has(key) && isPlain(key, value)))
        throw new Error(`usvg has written an attribute "${key}" of "${name}"`);
    }
  }
  for (const { attributes } of descendants(root))
    if (!referenced.has(attributes.get('id') ?? '')) attributes.delete('id');
  unwrap(root);
}

/** Removes groups without effects. */
function unwrap(element: SvgElement): void {
  element.children = element.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    unwrap(child);
    return child.name === 'g' && child.attributes.size === 0 ? child.children : [child];
  });
}

/** Filters whose results differ between resvg and browsers, by more than rounding. */
const UNCERTAIN_EFFECTS: ReadonlySet<string> = new Set([
  ...[
    'feTurbulence',
    'feDisplacementMap',
    'feDiffuseLighting',
    'feSpecularLighting',
    'feMorphology',
    'feImage',
  ],
]);
/** Beyond this, programs that compute with 32 bits draw nothing, or something else. */
const MAX_COORDINATE = 1_000_000;
const NUMBERS = /-?\d+(?:\.\d+)?(?:e-?\d+)?/g;
const WITH_NUMBERS = [
  'd',
  'transform',
  'stroke-width',
  'stdDeviation',
  'dx',
  'dy',
  'gradientTransform',
  'patternTransform',
];

/** Whether all that is drawn is known to look alike in resvg and in browsers. */
export function isCertain(root: SvgElement): boolean {
  for (const { name, attributes } of descendants(root)) {
    if (/mode:(?:hue|saturation|color|luminosity)/.test(attributes.get('style') ?? '')) return false;
    if (UNCERTAIN_EFFECTS.has(name) || attributes.get('primitiveUnits') === 'objectBoundingBox') return false;
    if (name === 'filter' && attributes.get('filterUnits') === 'userSpaceOnUse') return false;
    for (const key of WITH_NUMBERS)
      for (const [number] of (attributes.get(key) ?? '').matchAll(NUMBERS))
        if (Math.abs(Number(number)) > MAX_COORDINATE) return false;
  }
  return true;
}

/** Gradients and patterns may take stops from another one. */
function localReference(
  link: string,
  rename: (id: string) => string,
  referenced: Set<string>,
): string | undefined {
  if (!link.startsWith('#')) return undefined;
  const name = rename(link.slice(1));
  referenced.add(name);
  return `#${name}`;
}

const isPlain = (key: string, value: string): boolean =>
  key.toLowerCase().endsWith('transform') || NO_REFERENCE.test(value);

/**
 * Puts the drawing into a frame that clips it at its edges. Without a frame, an element of another shape, or an address
 * with a fragment, would show what lies outside of the picture. The frame has a fixed size if the uploaded drawing has.
 */
export function framed(drawing: SvgElement, hasSize: boolean): SvgElement {
  const [width, height] = ['width', 'height'].map((name) => drawing.attributes.get(name) ?? '0') as [
    string,
    string,
  ];
  const viewBox = `0 0 ${width} ${height}`;
  const frame = svgElement('svg', hasSize ? { width, height, viewBox } : { viewBox }, [drawing]);
  drawing.attributes.delete('xmlns');
  return frame;
}

/** The drawing in a frame of ours, so that drawings that are uploaded again don't get frame after frame. */
export function unframed(root: SvgElement): { drawing: SvgElement; hasSize: boolean | undefined } {
  const [inner] = root.children;
  const none = { drawing: root, hasSize: undefined };
  if (root.children.length !== 1 || inner === undefined || typeof inner === 'string' || inner.name !== 'svg')
    return none;
  const [width, height] = [inner.attributes.get('width'), inner.attributes.get('height')];
  const { attributes } = root;
  if (attributes.get('viewBox') !== `0 0 ${width} ${height}`) return none;
  const hasSize = attributes.get('width') === width && attributes.get('height') === height;
  if (attributes.size !== (hasSize ? 3 : 1) + (attributes.has('xmlns') ? 1 : 0)) return none;
  inner.parent = null;
  return { drawing: inner, hasSize };
}
