import { setImmediate } from 'node:timers/promises';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { CONDITIONS, KEPT_ELEMENTS, TEXT_ELEMENTS } from './allowlist';
import { cleanAttributes, resetContainer, touchesContainers, XLINK_NAMESPACE } from './attributes';
import { cleanStyleSheet } from './css';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

const MAX_DEPTH = 200;
const MAX_ELEMENTS = 250_000;
/** Characters that are parsed in one step. */
const CHUNK = 128 * 1024;
/** Some drawing programs declare namespaces as entities. A document with more references is hostile. */
const MAX_ENTITIES = 64;
const MAX_ENTITY_REFERENCES = 10_000;
const NAMESPACE_ENTITY =
  /<!ENTITY\s+([\w.-]{1,64})\s+(?:"(https?:\/\/[^"&%<]{1,128})"|'(https?:\/\/[^'&%<]{1,128})')\s*>/g;

/** A kept element with safe attributes, except `href`, which is checked when it is written. */
export interface SvgElement {
  name: string;
  readonly attributes: Map<string, string>;
  readonly children: (SvgElement | string)[];
}

/**
 * Reads an SVG and keeps the parts that draw. Declares no entities except namespaces, and follows no reference.
 * @throws UnreadableFileError if it isn't well-formed XML, or too deep or too large.
 * @throws UnsupportedFormatError if it is XML, but no SVG.
 */
export async function parseSvg(text: string): Promise<SvgElement> {
  const parser = new SaxesParser({ xmlns: true });
  const builder = new TreeBuilder();
  parser.on('error', (error) => {
    throw new UnreadableFileError(`The SVG is not well-formed XML: ${error.message}`);
  });
  parser.on('doctype', (doctype) => {
    const entities = [...doctype.matchAll(NAMESPACE_ENTITY)].slice(0, MAX_ENTITIES);
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
  private readonly path: SvgElement[] = [];
  /** Namespace of the root. A document that doesn't declare it is treated as SVG. */
  private namespace = SVG_NAMESPACE;
  /** Depth inside a removed element, whose content is removed too. */
  private dropped = 0;
  private elements = 0;
  /** Elements that only some viewers would show. */
  private readonly conditional = new WeakSet<SvgElement>();
  /** Whether a style sheet may hide containers. */
  private touchesContainers = false;

  open(tag: SaxesTagNS): void {
    if (++this.elements > MAX_ELEMENTS || this.path.length + this.dropped >= MAX_DEPTH) {
      throw new UnreadableFileError('The SVG is too deep or too large.');
    }
    if (!this.root) this.checkRoot(tag);
    if (this.dropped > 0 || !this.isKept(tag)) {
      this.dropped++;
      return;
    }
    const element = { name: tag.local, attributes: cleanAttributes(tag), children: [] };
    if (Object.values(tag.attributes).some(({ uri, local }) => uri === '' && CONDITIONS.has(local)))
      this.conditional.add(element);
    this.path.at(-1)?.children.push(element);
    this.path.push(element);
    this.root ??= element;
  }

  close(): void {
    if (this.dropped > 0) {
      this.dropped--;
      return;
    }
    const element = this.path.pop();
    if (element?.name === 'switch') this.chooseAlternative(element);
    if (element?.name !== 'style') return;
    const sheet = cleanStyleSheet(element.children.filter((child) => typeof child === 'string').join(''));
    element.children.splice(0, Infinity, ...(sheet === '' ? [] : [sheet]));
    this.touchesContainers ||= touchesContainers(sheet);
  }

  /** Replaces a `switch` by one alternative for every viewer: the first without a condition, or else the first. */
  private chooseAlternative(element: SvgElement): void {
    const choices = element.children.filter((child) => typeof child !== 'string');
    const chosen = choices.find((child) => !this.conditional.has(child)) ?? choices[0];
    element.name = 'g';
    element.children.splice(0, Infinity, ...(chosen ? [chosen] : []));
  }

  text(content: string): void {
    if (this.dropped > 0) return;
    const parent = this.path.at(-1);
    const isInText = this.path.some(({ name }) => TEXT_ELEMENTS.has(name));
    if (!parent || !isInText) return;
    const last = parent.children.length - 1;
    const before = parent.children[last];
    if (typeof before === 'string') parent.children[last] = before + content;
    else if (content !== '') parent.children.push(content);
  }

  finish(): SvgElement {
    if (!this.root) throw new UnreadableFileError('The SVG is empty.');
    if (this.touchesContainers) resetContainers(this.root);
    return this.root;
  }

  private checkRoot(tag: SaxesTagNS): void {
    if (tag.local !== 'svg' || (tag.uri !== SVG_NAMESPACE && tag.uri !== '')) {
      throw new UnsupportedFormatError('The XML is not an SVG.');
    }
    this.namespace = tag.uri;
  }

  private isKept(tag: SaxesTagNS): boolean {
    if (tag.uri !== this.namespace || !KEPT_ELEMENTS.has(tag.local)) return false;
    return tag.local !== 'style' || isForAll(tag);
  }
}

function resetContainers({ name, attributes, children }: SvgElement): void {
  resetContainer(name, attributes);
  for (const child of children) if (typeof child !== 'string') resetContainers(child);
}

/** Whether a style sheet is for all windows. Others are removed, because they would change the moderated picture. */
function isForAll({ attributes }: SaxesTagNS): boolean {
  const [media = '', type = ''] = [attributes['media']?.value, attributes['type']?.value];
  return /^(?:|all|screen)$/i.test(media.trim()) && /^(?:|text\/css)$/i.test(type.trim());
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
  const xlink = body.includes(' xlink:href="') ? ` xmlns:xlink="${XLINK_NAMESPACE}"` : '';
  return `<svg xmlns="${SVG_NAMESPACE}"${xlink}${body.slice('<svg'.length)}`;
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

function escapeAttribute(value: string): string {
  return value.replace(/[&<>"\t\n\r]/g, (char) => ESCAPES[char] ?? char);
}

function escapeText(value: string): string {
  return value.replace(/[&<>\r]/g, (char) => ESCAPES[char] ?? char);
}
