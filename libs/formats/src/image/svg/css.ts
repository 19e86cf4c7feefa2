import { agreedProperty } from './agreed-values';
import { SHEET_PROPERTIES, STYLE_PROPERTIES } from './allowlist';

/** No real drawing has longer styles, and reading them would delay others. */
const MAX_DECLARATIONS_LENGTH = 64 * 1024;
const MAX_SHEET_LENGTH = 256 * 1024;
/** Characters of one selector or value. */
const MAX_PART_LENGTH = 4096;

/** Functions that fetch (`url` is checked separately), and characters that could hide one. */
const FORBIDDEN_VALUES =
  /\\|[<@]|expression\(|(?:image|image-set|cross-fade|src|element|attr|paint)\(|javascript:/i;
const LOCAL_URL = /url\(\s*(?:#[^\s"'()\\]*|"#[^"()\\]*"|'#[^'()\\]*')\s*\)/gi;

/** The tokens of a style sheet: only those that decide where rules and declarations end (CSS Syntax 3, section 4). */
const TOKEN =
  /(?<comment>\/\*[^]*?(?:\*\/|$)|<!--|-->)|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\\[^]|[^"'\\/<{};-]+|[^]/g;

/** A selector has no strings, escapes, comments or at-signs, so that nothing in it can end or start anything else. */
const NOT_IN_SELECTOR = /[^-\w\s.#:*>+~,=()[\]|^$\x80-\uffff]/;
/** Brackets are allowed only for pseudo-classes, and hold neither brackets nor lists. */
const NO_SELECTOR = /-->|(?<!:[-a-z]{1,32})\(|(?:url|expression)\(|\([^(),]*[(,]/i;
/** Pseudo-classes that depend only on the document: not on the viewer, the pointer or the address. */
const PSEUDO_CLASSES: ReadonlySet<string> = new Set([
  ...['root', 'empty', 'not', 'first-child', 'last-child', 'only-child', 'nth-child', 'nth-last-child'],
  ...['first-of-type', 'last-of-type', 'only-of-type', 'nth-of-type', 'nth-last-of-type'],
]);

/** Functions that librsvg knows too: colours, and transforms in the plane. */
const FUNCTIONS = [
  ...['rgb', 'rgba', 'hsl', 'hsla'],
  ...['matrix', 'translate', 'translatex', 'translatey', 'scale', 'scalex', 'scaley', 'rotate'],
  ...['skewx', 'skewy'],
];
/** Everything that a value may consist of. A bracket may only open a known function or a reference. */
const VALUE = new RegExp(
  [
    String.raw`^(?:[-\w\s.,#%+*!)\x80-\uffff]`,
    String.raw`\/(?![/*])`,
    String.raw`"[-\w .,\x80-\uffff]*"`,
    String.raw`'[-\w .,\x80-\uffff]*'`,
    String.raw`(?<![-\w\x80-\uffff])(?:${FUNCTIONS.join('|')})\(`,
    String.raw`(?<![-\w\x80-\uffff])url\(#[-\w.:]+\))+$`,
  ].join('|'),
  'i',
);
/** Lengths that depend on the window, or that only browsers know: the picture would be different at each size. */
const VIEWER_UNITS =
  /\d\.?(?:[sld]?v(?:[whib]|min|max)|cq(?:[whib]|min|max)|r?lh|r?cap|r?ch|r?ic|rex)(?![-\w])/i;
/** Colours of the viewer's system (CSS Color 4, section 6.2 and appendix A). */
const SYSTEM_COLOURS = new RegExp(
  `(?<![-\\w#])(?:${[
    'accentcolor(?:text)?|activetext|canvas(?:text)?|field(?:text)?|graytext|highlight(?:text)?|linktext',
    'mark(?:text)?|selecteditem(?:text)?|visitedtext|active(?:border|caption)|appworkspace|background',
    'button(?:border|face|highlight|shadow|text)|captiontext|inactive(?:border|caption|captiontext)',
    'info(?:background|text)|menu(?:text)?|scrollbar|three(?:ddarkshadow|dface|dhighlight|dlightshadow|dshadow)',
    'window(?:frame|text)?',
  ].join('|')})(?![-\\w])`,
  'i',
);
const COLOUR_PROPERTIES = /^(?:fill|stroke|color|filter|(?:stop|flood|lighting)-color)$/i;

/** Whether a value refers only to elements of its own document, without escapes that could hide another reference. */
export function isLocalValue(value: string): boolean {
  return !FORBIDDEN_VALUES.test(value) && !/url\s*\(/i.test(value.replace(LOCAL_URL, ''));
}

/** Whether a length depends on the window that the picture is shown in. */
export function dependsOnViewer(value: string): boolean {
  return VIEWER_UNITS.test(value);
}

/** The canonical value of a presentation attribute or of a transform; undefined if it is not known to be harmless. */
export function cleanValue(property: string, text: string): string | undefined {
  const value = text.trim();
  if (value === '' || value.length > MAX_PART_LENGTH) return undefined;
  const canonical = value.replace(/url\(\s*(["']?)(#[-\w.:]+)\1\s*\)/gi, 'url($2)');
  if (!VALUE.test(canonical) || !isBalanced(canonical) || dependsOnViewer(canonical)) return undefined;
  if (COLOUR_PROPERTIES.test(property) && SYSTEM_COLOURS.test(canonical)) return undefined;
  return agreedProperty(property, canonical);
}

/** The declarations of a `style` attribute that are known to be harmless, in one canonical form. */
export function cleanDeclarations(text: string, properties: ReadonlySet<string> = STYLE_PROPERTIES): string {
  if (text.length > MAX_DECLARATIONS_LENGTH) return '';
  const declarations: string[] = [];
  let declaration = '';
  for (const token of tokens(text)) {
    if (token !== ';') declaration += token;
    else {
      declarations.push(cleanDeclaration(declaration, properties));
      declaration = '';
    }
  }
  declarations.push(cleanDeclaration(declaration, properties));
  return declarations.filter((clean) => clean !== '').join(';');
}

/**
 * The plain rules of a style sheet that are known to be harmless, in one canonical form, without at-rules. A browser
 * may split the text differently; that doesn't matter, because each kept rule is complete.
 */
export function cleanStyleSheet(text: string): string {
  if (text.length > MAX_SHEET_LENGTH) return '';
  const rules: string[] = [];
  const [selector, body] = [new Gathered(MAX_PART_LENGTH), new Gathered(MAX_DECLARATIONS_LENGTH)];
  let depth = 0;
  for (const token of tokens(text)) {
    if (token === '{' && ++depth === 1) continue;
    if (token === '}' && depth > 0 && --depth === 0) {
      rules.push(cleanRule(selector.text?.trim(), body.text));
      selector.clear();
      body.clear();
    } else if (depth > 0) body.add(token);
    else if (token === ';' && selector.isAtRule) selector.clear();
    else selector.add(token);
  }
  return rules.join('');
}

/** Text that is collected token by token, up to a maximum length. */
class Gathered {
  private gathered = '';
  private isTooLong = false;
  private first = '';

  constructor(private readonly limit: number) {}

  /** Undefined if it is too long. */
  get text(): string | undefined {
    return this.isTooLong ? undefined : this.gathered;
  }

  get isAtRule(): boolean {
    return this.first.startsWith('@');
  }

  add(token: string): void {
    if (this.first === '') this.first = token.trimStart().slice(0, 1);
    this.isTooLong ||= this.gathered.length + token.length > this.limit;
    if (!this.isTooLong) this.gathered += token;
  }

  clear(): void {
    [this.gathered, this.first, this.isTooLong] = ['', '', false];
  }
}

function cleanRule(selector: string | undefined, body: string | undefined): string {
  if (!selector || body === undefined || !isSelector(selector) || body.includes('{')) return '';
  const declarations = cleanDeclarations(body, SHEET_PROPERTIES);
  return declarations === '' ? '' : `${selector}{${declarations}}`;
}

function isSelector(selector: string): boolean {
  if (NOT_IN_SELECTOR.test(selector) || NO_SELECTOR.test(selector) || !isBalanced(selector)) return false;
  const pseudos = selector.matchAll(/:([-\w]*)/g);
  return [...pseudos].every(([, name = '']) => PSEUDO_CLASSES.has(name.toLowerCase()));
}

function cleanDeclaration(text: string, properties: ReadonlySet<string>): string {
  const colon = text.indexOf(':');
  const property = text.slice(0, Math.max(0, colon)).trim().toLowerCase();
  if (!properties.has(property)) return '';
  const value = cleanValue(property, text.slice(colon + 1));
  return value === undefined ? '' : `${property}:${value}`;
}

/** Newlines as in CSS; comments become spaces. */
function* tokens(text: string): Generator<string> {
  for (const { 0: token, groups } of text.replace(/\r\n?|\f/g, '\n').matchAll(TOKEN)) {
    yield groups?.['comment'] === undefined ? token : ' ';
  }
}

function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const [bracket] of text.matchAll(/[()[\]]/g)) {
    if (bracket === '(' || bracket === '[') open.push(bracket);
    else if (open.pop() !== (bracket === ')' ? '(' : '[')) return false;
  }
  return open.length === 0;
}
