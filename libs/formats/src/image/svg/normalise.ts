import { nearestFamily } from './fonts';
import { removeFocalRadius } from './gradients';
import { turnStartMarkers } from './markers';
import { foldTransform, MAX_MEASURED } from './placement';
import { scaleDashes } from './dashes';
import type { Size } from '../../facts/displayed-size';
import { naturalSize, viewBoxOf } from './size';
import { descendants, elementsById, elementsIn, svgElement, type SvgElement } from './tree';
import { fontSize, parseLength, partsOf, withKnownUnits } from './values';

/** Larger numbers stop usvg. */
const MAX_NUMBER = 10_000_000;
/** Characters of an attribute whose units are looked at. */
const MAX_LENGTHS = 1024;

/**
 * Rewrites what usvg doesn't know, or knows in another way than browsers, with means that it knows. Expects presentation
 * attributes only.
 */
export function normalise(root: SvgElement): void {
  const size = naturalSize(root.attributes);
  const measured = { left: MAX_MEASURED };
  const byId = elementsById(root);
  for (const element of [...descendants(root)]) {
    chooseAlternative(element);
    localLink(element, byId);
    absoluteLengths(element, size);
    foldTransform(element, size, measured);
    scaleDashes(element);
    removeFocalRadius(element, byId);
    keepDrawn(element, byId);
    wrapSymbol(element);
    wrapInner(element);
  }
  turnStartMarkers(root, byId);
  wrapRoot(root);
  drawBackground(root, size);
}

const CONDITIONS = ['systemLanguage', 'requiredFeatures', 'requiredExtensions'];

/** A `switch` shows the first child without a condition, or else its first, to every viewer. */
function chooseAlternative(element: SvgElement): void {
  if (element.name === 'switch') {
    const choices = elementsIn(element);
    const isFree = ({ attributes }: SvgElement): boolean =>
      !attributes.has('systemLanguage') && !attributes.has('requiredExtensions');
    const chosen = choices.find(isFree) ?? choices[0];
    element.name = 'g';
    element.children = chosen ? [chosen] : [];
  }
  for (const name of CONDITIONS) for (const { attributes } of elementsIn(element)) attributes.delete(name);
}

/** Links to elements of the document stay, percent-decoded like in browsers, and pictures in data. */
function localLink({ name, attributes }: SvgElement, byId: ReadonlyMap<string, SvgElement>): void {
  const link = attributes.get('href');
  if (link === undefined || (/^(?:image|feImage)$/.test(name) && /^data:/i.test(link))) return;
  const id = link.startsWith('#') ? decoded(link.trim().slice(1)) : undefined;
  if (id !== undefined && byId.has(id)) attributes.set('href', `#${id}`);
  else attributes.delete('href');
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

const WITHOUT_LENGTHS: ReadonlySet<string> = new Set(['id', 'd', 'href', 'points', 'xml:lang']);

/** Replaces units that usvg doesn't know by pixels, size names of fonts by numbers, and families by ours. */
function absoluteLengths({ attributes }: SvgElement, size: Size): void {
  for (const [name, value] of attributes) {
    if (Math.abs(Number(value)) > MAX_NUMBER)
      attributes.set(name, String(Math.sign(Number(value)) * MAX_NUMBER));
    else if (name === 'font-family' && value !== 'inherit') attributes.set(name, nearestFamily(value));
    else if (name === 'font-size') attributes.set(name, withKnownUnits(fontSize(value), size));
    else if (!WITHOUT_LENGTHS.has(name) && value.length <= MAX_LENGTHS)
      attributes.set(name, withKnownUnits(value, size));
  }
}

/** Elements that are drawn only where others refer to them. Browsers apply `display` to two of them. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ...['symbol', 'marker', 'clipPath', 'mask', 'pattern', 'linearGradient', 'radialGradient'],
  ...['filter', 'stop'],
]);

/** Removes references and values that hide an element in usvg, but not in browsers. */
function keepDrawn(element: SvgElement, byId: ReadonlyMap<string, SvgElement>): void {
  const { name, attributes } = element;
  const isHidden = attributes.get('display') === 'none';
  if (isHidden && name === 'symbol') element.children = [];
  if (isHidden && name === 'clipPath') attributes.delete('id');
  if (CONTAINERS.has(name)) attributes.delete('display');
  if (attributes.get('display') === 'contents') attributes.set('display', name === 'g' ? 'inline' : 'none');
  if (attributes.get('stroke-width')?.trim().startsWith('-')) attributes.delete('stroke-width');
  const mask = partsOf(attributes.get('mask') ?? '')[0];
  if (mask?.type === 'Url') attributes.set('mask', `url(${mask.value})`);
  const filters = partsOf(attributes.get('filter') ?? '');
  const [filter] = filters;
  if (filters.length === 1 && filter?.type === 'Url' && !byId.has(filter.value.slice(1)))
    attributes.delete('filter');
}

/** Properties that usvg doesn't apply to an `svg` as a whole. */
const EFFECTS = ['opacity', 'filter', 'mask', 'clip-path', 'style', 'transform'];

/** Moves the effects of an element to a new group; undefined if it has none. */
function groupOfEffects(element: SvgElement): SvgElement | undefined {
  const moved: Record<string, string> = {};
  for (const name of EFFECTS) {
    const value = element.attributes.get(name);
    if (value !== undefined) moved[name] = value;
    element.attributes.delete(name);
  }
  return Object.keys(moved).length === 0 ? undefined : svgElement('g', moved);
}

/** Puts what the element holds into a group. */
function wrapContent(element: SvgElement, inner: SvgElement): void {
  inner.children = element.children;
  for (const child of elementsIn(inner)) child.parent = inner;
  inner.parent = element;
  element.children = [inner];
}

/** The place and the transform of a `symbol` move to a group in it. */
function wrapSymbol(element: SvgElement): void {
  if (element.name !== 'symbol') return;
  const [x, y] = ['x', 'y'].map((name) => parseLength(element.attributes.get(name), 0) ?? 0);
  const transform = `translate(${x} ${y}) ${element.attributes.get('transform') ?? ''}`.trim();
  for (const name of ['x', 'y', 'transform']) element.attributes.delete(name);
  if (transform !== 'translate(0 0)') wrapContent(element, svgElement('g', { transform }));
}

/** An inner `svg` with effects comes into a group with them. */
function wrapInner(element: SvgElement): void {
  const { parent } = element;
  if (element.name !== 'svg' || !parent) return;
  const around = groupOfEffects(element);
  if (!around) return;
  parent.children.splice(parent.children.indexOf(element), 1, around);
  around.parent = parent;
  around.children = [element];
  element.parent = around;
}

/** The effects of the root move to a group of all that it draws. */
function wrapRoot(root: SvgElement): void {
  const inner = groupOfEffects(root);
  if (inner) wrapContent(root, inner);
}

/** The background of the root becomes its first shape, which covers the picture whatever its aspect ratio is. */
function drawBackground(root: SvgElement, size: Size): void {
  const fill = root.attributes.get('background-color');
  root.attributes.delete('background-color');
  if (fill === undefined || fill === 'none') return;
  const box = viewBoxOf(root.attributes) ?? { x: 0, y: 0, ...size };
  const scale = Math.min(size.width / box.width, size.height / box.height);
  const [beyondX, beyondY] = [size.width / scale - box.width, size.height / scale - box.height];
  const rectangle = svgElement('rect', {
    x: String(box.x - beyondX),
    y: String(box.y - beyondY),
    width: String(box.width + 2 * beyondX),
    height: String(box.height + 2 * beyondY),
    fill,
    stroke: 'none',
  });
  rectangle.parent = root;
  root.children.unshift(rectangle);
}
