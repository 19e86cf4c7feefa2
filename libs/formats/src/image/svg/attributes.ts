import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';
import { agreedAttribute, isAgreedPath } from './agreed-values';
import {
  GEOMETRY_ATTRIBUTES,
  NAMING_ATTRIBUTES,
  PATH_ATTRIBUTES,
  PRESENTATION_PROPERTIES,
  RASTER_ELEMENTS,
  STYLE_PROPERTIES,
} from './allowlist';
import { cleanDeclarations, cleanValue, dependsOnViewer, isLocalValue } from './css';

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
export const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';

/** Numbers, units, key words and names. */
const NOT_IN_GEOMETRY = /[^-+\w\s.,%:;#\x80-\uffff]/;
const NOT_IN_PATH = /[^-+\w\s.,]/;

/** Properties that could move an embedded picture out of its edges. */
const EDGES = new Set(['overflow', 'transform', 'x', 'y', 'width', 'height']);
const STYLE_OF_SVG: ReadonlySet<string> = new Set([...STYLE_PROPERTIES].filter((name) => !EDGES.has(name)));

/** The attributes of an element that are kept, with safe values; a link to data is checked later. */
export function cleanAttributes(tag: SaxesTagNS): Map<string, string> {
  const clean = new Map<string, string>();
  for (const attribute of Object.values(tag.attributes)) {
    const name = qualifiedName(attribute);
    if (name === undefined || (name === 'xlink:href' && clean.has('href'))) continue;
    if (name === 'href') clean.delete('xlink:href');
    const value = cleanAttribute(tag.local, name, attribute.value);
    if (value !== undefined) clean.set(name, value);
  }
  return clean;
}

function qualifiedName({ uri, local }: SaxesAttributeNS): string | undefined {
  if (uri === '') return local;
  if (uri === XLINK_NAMESPACE && local === 'href') return 'xlink:href';
  if (uri === XML_NAMESPACE && (local === 'space' || local === 'lang')) return `xml:${local}`;
  return undefined;
}

/** The value of an attribute that is kept; undefined if the attribute is removed. */
function cleanAttribute(element: string, name: string, value: string): string | undefined {
  if (isHref(name)) return isKeptLink(element, value) ? value.trim() : undefined;
  if (name === 'style') {
    return cleanDeclarations(value, styleOf(element)) || undefined;
  }
  if (NAMING_ATTRIBUTES.has(name) || name.startsWith('xml:')) return isLocalValue(value) ? value : undefined;
  if (PATH_ATTRIBUTES.has(name)) {
    return NOT_IN_PATH.test(value) || !isAgreedPath(name, value) ? undefined : value;
  }
  if (name === 'overflow' && element === 'svg') return undefined;
  if (isContainerOnly(element, name)) return undefined;
  if (TRANSFORMS.has(name)) return agreedAttribute(name, value);
  if (PRESENTATION_PROPERTIES.has(name)) return cleanValue(name, value);
  if (!GEOMETRY_ATTRIBUTES.has(name) || NOT_IN_GEOMETRY.test(value) || dependsOnViewer(value))
    return undefined;
  return agreedAttribute(name, value);
}

const TRANSFORMS: ReadonlySet<string> = new Set(['transform', 'gradientTransform', 'patternTransform']);

/** Elements that are drawn where others refer to them. Renderers disagree on what hides or moves them as a whole. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ...[
    'symbol',
    'mask',
    'clipPath',
    'marker',
    'pattern',
    'linearGradient',
    'radialGradient',
    'filter',
    'stop',
  ],
]);
const isContainer = (element: string): boolean => CONTAINERS.has(element) || element.startsWith('fe');

/** Properties that an element doesn't pass on to its children. Containers have none of them. */
const NOT_OF_CONTAINERS: ReadonlySet<string> = new Set([
  ...['display', 'opacity', 'clip-path', 'mask', 'filter', 'mix-blend-mode', 'transform'],
]);
const NOT_OF_CONTAINERS_IN_SHEET = /(?:display|opacity|clip-path|mask|filter|mix-blend-mode):/;
const RESET =
  'display:inline!important;opacity:1!important;mask:none!important;filter:none!important;mix-blend-mode:normal!important';
const PLACE_OF_SYMBOL: ReadonlySet<string> = new Set(['x', 'y', 'width', 'height', 'refX', 'refY']);
const STYLE_OF_CONTAINER: ReadonlySet<string> = new Set(
  [...STYLE_PROPERTIES].filter((name) => !NOT_OF_CONTAINERS.has(name) && !EDGES.has(name)),
);

function isContainerOnly(element: string, name: string): boolean {
  if (element === 'symbol' && PLACE_OF_SYMBOL.has(name)) return true;
  if (element === 'tspan' && name === 'transform') return true;
  if (!isContainer(element) || !NOT_OF_CONTAINERS.has(name)) return false;
  return element !== 'clipPath' || (name !== 'transform' && name !== 'clip-path');
}

/** Resets on a container the properties that a style sheet may set. */
export function resetContainer(element: string, attributes: Map<string, string>): void {
  if (!isContainer(element)) return;
  const clip = element === 'clipPath' ? '' : ';clip-path:none!important';
  const own = attributes.get('style');
  attributes.set('style', `${own === undefined ? '' : `${own};`}${RESET}${clip}`);
}

/** Whether a style sheet may hide or move containers as a whole. */
export const touchesContainers = (sheet: string): boolean => NOT_OF_CONTAINERS_IN_SHEET.test(sheet);

function styleOf(element: string): ReadonlySet<string> {
  if (element === 'svg') return STYLE_OF_SVG;
  return isContainer(element) ? STYLE_OF_CONTAINER : STYLE_PROPERTIES;
}

/** Whether this is the name of a link attribute. */
export function isHref(name: string): boolean {
  return name === 'href' || name === 'xlink:href';
}

/** Whether a link stays: to an element of the same document, or for pictures, to data, which is checked later. */
function isKeptLink(element: string, value: string): boolean {
  if (element === 'a') return false;
  return (
    /^#[-\w.:\x80-\uffff]+$/.test(value.trim()) || (RASTER_ELEMENTS.has(element) && /^\s*data:/i.test(value))
  );
}
