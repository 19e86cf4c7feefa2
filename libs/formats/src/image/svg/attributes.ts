import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';
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

/** Values that would move an embedded picture out of its edges. */
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
  if (isHref(name)) return isKeptLink(element, value) ? value : undefined;
  if (name === 'style') {
    return cleanDeclarations(value, element === 'svg' ? STYLE_OF_SVG : STYLE_PROPERTIES) || undefined;
  }
  if (NAMING_ATTRIBUTES.has(name) || name.startsWith('xml:')) return isLocalValue(value) ? value : undefined;
  if (PATH_ATTRIBUTES.has(name)) return NOT_IN_PATH.test(value) ? undefined : value;
  if (name === 'overflow' && element === 'svg') return undefined;
  if (PRESENTATION_PROPERTIES.has(name) || name.endsWith('Transform')) {
    const isKnown = PRESENTATION_PROPERTIES.has(name) || GEOMETRY_ATTRIBUTES.has(name);
    return isKnown ? cleanValue(name, value) : undefined;
  }
  if (!GEOMETRY_ATTRIBUTES.has(name) || NOT_IN_GEOMETRY.test(value) || dependsOnViewer(value))
    return undefined;
  return value;
}

/** Whether this is the name of a link. */
export function isHref(name: string): boolean {
  return name === 'href' || name === 'xlink:href';
}

/** A link to an element of the same document; for pictures, data that is checked later. */
function isKeptLink(element: string, value: string): boolean {
  if (element === 'a') return false;
  return /^\s*#/.test(value) || (RASTER_ELEMENTS.has(element) && /^\s*data:/i.test(value));
}
