import { setImmediate } from 'node:timers/promises';
import { SaxesParser, type SaxesAttributeNS, type SaxesTagNS } from 'saxes';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

const MAX_DEPTH = 200;
const MAX_ELEMENTS = 250_000;
/** Characters that are parsed in one step. */
const CHUNK = 128 * 1024;
/** Drawing programs declare namespaces and styles as entities. A document with more references is hostile. */
const MAX_ENTITIES = 256;
const MAX_ENTITY_REFERENCES = 10_000;
/** A general entity whose text holds no markup and no other entity. */
const PLAIN_ENTITY = /<!ENTITY\s+([\w.-]{1,64})\s+(?:"([^"&%<]{0,4096})"|'([^'&%<]{0,4096})')\s*>/g;

/** Elements that draw nothing, or that run, embed or link to other documents; removed with their content. */
const REMOVED: ReadonlySet<string> = new Set([
  ...[
    'script',
    'handler',
    'foreignObject',
    'metadata',
    'title',
    'desc',
    'cursor',
    'view',
    'discard',
    'audio',
  ],
  ...['video', 'iframe', 'canvas', 'font', 'font-face', 'color-profile', 'solidcolor', 'hatch', 'mesh'],
]);
/** Elements whose characters matter. */
const WITH_TEXT: ReadonlySet<string> = new Set(['text', 'tspan', 'textPath', 'tref', 'style']);

/** An element of the SVG namespace. */
export interface SvgElement {
  name: string;
  readonly attributes: Map<string, string>;
  children: (SvgElement | string)[];
  parent: SvgElement | null;
}

/** Makes an element and sets it as the parent of its children. */
export function svgElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: (SvgElement | string)[] = [],
): SvgElement {
  const element: SvgElement = {
    name,
    attributes: new Map(Object.entries(attributes)),
    children,
    parent: null,
  };
  for (const child of elementsIn(element)) child.parent = element;
  return element;
}

/** The child elements, without texts. */
export const elementsIn = ({ children }: SvgElement): SvgElement[] =>
  children.filter((child) => typeof child !== 'string');

/** The element and all elements in it, parents before their children. */
export function* descendants(root: SvgElement): Generator<SvgElement> {
  const waiting = [root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    yield element;
    waiting.push(...elementsIn(element).reverse());
  }
}

/** The elements by their ids; of several with one id, the first counts. */
export function elementsById(root: SvgElement): Map<string, SvgElement> {
  const byId = new Map<string, SvgElement>();
  for (const element of descendants(root)) {
    const id = element.attributes.get('id');
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
  }
  return byId;
}

/** The texts in an element, except style sheets. */
export const textsOf = (root: SvgElement): string =>
  [...descendants(root)]
    .filter(({ name }) => name !== 'style')
    .flatMap(({ children }) => children.filter((child) => typeof child === 'string'))
    .join('');

/**
 * Reads the elements of an SVG, their attributes, and the texts that are drawn. `xlink:href` becomes `href`. Expands
 * entities that the document declares as plain text, and follows no reference to another document.
 * @throws UnreadableFileError if it isn't well-formed XML, or too deep or too large.
 * @throws UnsupportedFormatError if it is XML, but no SVG.
 */
export async function readSvg(text: string): Promise<SvgElement> {
  const parser = new SaxesParser({ xmlns: true });
  const builder = new TreeBuilder();
  parser.on('error', (error) => {
    throw new UnreadableFileError(`The SVG is not well-formed XML: ${error.message}`);
  });
  parser.on('doctype', (doctype) => {
    const entities = [...doctype.matchAll(PLAIN_ENTITY)].slice(0, MAX_ENTITIES);
    if (entities.length > 0 && text.split('&', MAX_ENTITY_REFERENCES).length === MAX_ENTITY_REFERENCES) {
      throw new UnreadableFileError('The SVG has too many entities.');
    }
    for (const [, name = '', double, single] of entities) parser.ENTITIES[name] = double ?? single ?? '';
  });
  parser.on('opentag', (tag) => builder.open(tag));
  parser.on('closetag', () => builder.close());
  parser.on('text', (content) => builder.text(content));
  parser.on('cdata', (content) => builder.text(content));
  for (let at = 0; at < text.length; at += CHUNK) {
    parser.write(text.slice(at, at + CHUNK));
    // Lets other work run: a large drawing takes a second.
    await setImmediate();
  }
  parser.close();
  return builder.finish();
}

class TreeBuilder {
  private root: SvgElement | undefined;
  private current: SvgElement | null = null;
  private depth = 0;
  /** Namespace of the root. A document that doesn't declare it is treated as SVG. */
  private namespace = SVG_NAMESPACE;
  /** Depth inside a removed element. */
  private dropped = 0;
  private elements = 0;
  /** Depth inside elements whose characters matter. */
  private inText = 0;

  open(tag: SaxesTagNS): void {
    if (++this.elements > MAX_ELEMENTS || this.depth + this.dropped >= MAX_DEPTH) {
      throw new UnreadableFileError('The SVG is too deep or too large.');
    }
    if (!this.root) this.checkRoot(tag);
    if (this.dropped > 0 || tag.uri !== this.namespace || REMOVED.has(tag.local)) {
      this.dropped++;
      return;
    }
    const element = svgElement(tag.local, readAttributes(tag));
    element.parent = this.current;
    this.current?.children.push(element);
    this.current = element;
    this.depth++;
    if (WITH_TEXT.has(element.name)) this.inText++;
    this.root ??= element;
  }

  close(): void {
    if (this.dropped > 0) {
      this.dropped--;
      return;
    }
    if (this.current && WITH_TEXT.has(this.current.name)) this.inText--;
    this.current = this.current?.parent ?? null;
    this.depth--;
  }

  text(content: string): void {
    if (this.dropped > 0 || this.inText === 0 || !this.current || content === '') return;
    const { children } = this.current;
    const last = children.at(-1);
    if (typeof last === 'string') children[children.length - 1] = last + content;
    else children.push(content);
  }

  finish(): SvgElement {
    if (!this.root) throw new UnreadableFileError('The SVG is empty.');
    return this.root;
  }

  private checkRoot(tag: SaxesTagNS): void {
    if (tag.local !== 'svg' || (tag.uri !== SVG_NAMESPACE && tag.uri !== '')) {
      throw new UnsupportedFormatError('The XML is not an SVG.');
    }
    this.namespace = tag.uri;
  }
}

/** The attributes without a namespace, links, and those of XML. `href` wins over `xlink:href`. */
function readAttributes(tag: SaxesTagNS): Record<string, string> {
  const read: Record<string, string> = Object.create(null);
  for (const attribute of Object.values(tag.attributes)) {
    const name = attributeName(attribute);
    if (name !== undefined && !(attribute.uri === XLINK_NAMESPACE && 'href' in read))
      read[name] = attribute.value;
  }
  return read;
}

function attributeName({ uri, local }: SaxesAttributeNS): string | undefined {
  if (uri === '') return local;
  if (uri === XLINK_NAMESPACE && local === 'href') return 'href';
  return uri === XML_NAMESPACE && (local === 'space' || local === 'lang') ? `xml:${local}` : undefined;
}

/** Control characters that XML 1.1 can express but XML 1.0, which browsers read, can't contain. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL_CHARACTERS = /[\0-\x08\x0b\x0c\x0e-\x1f]/;

/** Writes the document as XML 1.0. @throws UnreadableFileError if it holds control characters. */
export function writeSvg(root: SvgElement): string {
  const parts: string[] = [];
  writeElement(root, parts);
  const body = parts.join('');
  if (CONTROL_CHARACTERS.test(body)) throw new UnreadableFileError('The SVG holds control characters.');
  return `<svg xmlns="${SVG_NAMESPACE}"${body.slice('<svg'.length)}`;
}

function writeElement({ name, attributes, children }: SvgElement, parts: string[]): void {
  parts.push(`<${name}`);
  for (const [key, value] of attributes) parts.push(` ${key}="`, escapeAttribute(value), '"');
  parts.push(children.length === 0 ? '/>' : '>');
  if (children.length === 0) return;
  for (const child of children) {
    if (typeof child === 'string') parts.push(escapeText(child));
    else writeElement(child, parts);
  }
  parts.push(`</${name}>`);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const escapeAttribute = (value: string): string =>
  value.replace(/[&<>"\t\n\r]/g, (char) => ESCAPES[char] ?? char);

const escapeText = (value: string): string => value.replace(/[&<>\r]/g, (char) => ESCAPES[char] ?? char);
