import { UnreadableFileError } from '../../errors/file-errors';
import { isHref } from './attributes';
import type { SvgElement } from './document';
import { naturalSize, isViewBox } from './size';

/** Limit of the elements that are drawn after following each `use`; a drawing of 10 MiB without `use` has as many. */
const MAX_DRAWN = 250_000;
/** Deepest nesting of elements after following each `use`. */
const MAX_DEPTH = 1000;
/**
 * Limit of the effects of all filters together. The largest filter libraries of drawing programs have a few hundred.
 */
const MAX_FILTER_STEPS = 500;

/**
 * Refuses drawings that need endless work for a few bytes: `use` elements that show each other repeatedly, and
 * filters of thousands of steps. Throws `UnreadableFileError`.
 */
export function assertBounded(root: SvgElement): void {
  const byId = new Map<string, SvgElement>();
  let steps = 0;
  for (const element of elementsOf(root)) {
    const id = element.attributes.get('id');
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    if (element.name.startsWith('fe') && ++steps > MAX_FILTER_STEPS)
      throw new UnreadableFileError('The SVG has too many filter effects.');
  }
  if (drawn(root, byId, new Map()) > MAX_DRAWN)
    throw new UnreadableFileError('The SVG shows its elements too often.');
}

/**
 * The number of elements that are drawn after following each `use`; an element that shows itself counts once, as in
 * renderers.
 */
function drawn(
  element: SvgElement,
  byId: ReadonlyMap<string, SvgElement>,
  known: Map<SvgElement, number>,
  depth = 0,
): number {
  const counted = known.get(element);
  if (counted !== undefined) return counted;
  if (depth > MAX_DEPTH) throw new UnreadableFileError('The SVG shows elements recursively without end.');
  known.set(element, 0);
  let count = 1;
  for (const child of element.children)
    if (typeof child !== 'string') count += drawn(child, byId, known, depth + 1);
  const target = byId.get(targetOf(element));
  if (target) count += drawn(target, byId, known, depth + 1);
  known.set(element, count);
  return count;
}

function targetOf({ name, attributes }: SvgElement): string {
  const link = name === 'use' ? (attributes.get('href') ?? attributes.get('xlink:href') ?? '') : '';
  return link.trim().slice(1);
}

function* elementsOf(root: SvgElement): Generator<SvgElement> {
  const waiting = [root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    yield element;
    for (const child of element.children) if (typeof child !== 'string') waiting.push(child);
  }
}

/** The initial size in browsers. librsvg starts with 12 pixels, and the length of an em would move elements. */
const FONT_SIZE = '16px';

/**
 * Puts the drawing into a frame of fixed size that clips it at its edges. Without a frame, an element of another
 * shape, or an address with a fragment, would show what lies outside of the picture.
 */
export function framed(root: SvgElement): SvgElement {
  if (isFramed(root)) return root;
  const size = naturalSize(root.attributes);
  const [width, height] = [decimal(size.width), decimal(size.height)];
  const attributes = new Map(root.attributes);
  for (const name of ['x', 'y', 'transform']) attributes.delete(name);
  if (!isViewBox(attributes.get('viewBox'))) attributes.delete('viewBox');
  attributes.set('width', width).set('height', height);
  const frame = new Map([
    ['width', width],
    ['height', height],
    ['viewBox', `0 0 ${width} ${height}`],
    ['font-size', FONT_SIZE],
  ]);
  return { name: 'svg', attributes: frame, children: [{ ...root, attributes }] };
}

function isFramed({ attributes, children }: SvgElement): boolean {
  const [inner] = children;
  if (children.length !== 1 || !inner || typeof inner === 'string' || inner.name !== 'svg') return false;
  const [width, height] = [attributes.get('width'), attributes.get('height')];
  const size = naturalSize(attributes);
  const isFrame =
    attributes.size === 4 &&
    attributes.get('font-size') === FONT_SIZE &&
    attributes.get('viewBox') === `0 0 ${width} ${height}` &&
    width === decimal(size.width) &&
    height === decimal(size.height);
  const isInPlace = !['x', 'y', 'transform'].some((name) => inner.attributes.has(name));
  return (
    isFrame &&
    isInPlace &&
    inner.attributes.get('width') === width &&
    inner.attributes.get('height') === height
  );
}

/** Pixels with at most four decimals; never 0. */
function decimal(pixels: number): string {
  return String(Math.max(0.01, Number(pixels.toFixed(4))));
}

/** Whether an attribute of the element links to data. */
export function dataLinks({ attributes }: SvgElement): [name: string, link: string][] {
  return [...attributes].filter(([name, value]) => isHref(name) && /^\s*data:/i.test(value));
}
