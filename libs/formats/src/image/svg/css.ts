/** Longer styles are no drawing's, and would hold up everybody else. */
const MAX_DECLARATIONS_LENGTH = 64 * 1024;
const MAX_SHEET_LENGTH = 256 * 1024;
/** Characters of one selector or value. */
const MAX_PART_LENGTH = 4096;

const PROPERTY = /^-{0,2}[a-z][a-z0-9-]*$/i;
const FORBIDDEN_PROPERTIES = /^(behavior|-moz-binding|src)$/i;
/** Functions that fetch (`url` is looked at by itself), and what could hide one. */
const FORBIDDEN_VALUES =
  /\\|[<@]|expression\(|(?:image|image-set|cross-fade|src|element|attr|paint)\(|javascript:/i;
const LOCAL_URL = /url\(\s*(?:#[^\s"'()\\]*|"#[^"()\\]*"|'#[^'()\\]*')\s*\)/gi;

/** What a style sheet is cut into: only what decides where rules and declarations end (CSS Syntax 3, section 4). */
const TOKEN =
  /(?<comment>\/\*[^]*?(?:\*\/|$)|<!--|-->)|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\\[^]|[^"'\\/<{};-]+|[^]/g;

/** A selector has no strings, escapes, comments or at-signs: nothing in it can end, or start, anything else. */
const SELECTOR = /^[-\w\s.#:*>+~,=()[\]|^$\x80-\uffff]+$/;
/** Brackets belong to pseudo-classes, such as `:not(…)`. */
const NO_SELECTOR = /-->|(?<!:[-a-z]{1,32})\(|(?:url|expression)\(/i;

const FUNCTIONS = [
  ...['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'color', 'color-mix'],
  ...['var', 'calc', 'min', 'max', 'clamp', 'rect', 'inset', 'circle', 'ellipse', 'polygon'],
  ...['matrix', 'translate', 'translatex', 'translatey', 'scale', 'scalex', 'scaley', 'rotate'],
  ...['skew', 'skewx', 'skewy', 'matrix3d', 'translate3d', 'scale3d', 'rotate3d', 'perspective'],
  ...['blur', 'brightness', 'contrast', 'drop-shadow', 'grayscale', 'hue-rotate', 'invert', 'opacity'],
  ...['saturate', 'sepia', 'cubic-bezier', 'steps', 'linear'],
];
/** The whole of what a value may be made of; a bracket opens nothing but a function known here, or a sum. */
const VALUE = new RegExp(
  [
    String.raw`^(?:[-\w\s.,#%+*!)\x80-\uffff]`,
    String.raw`\/(?![/*])`,
    String.raw`"[-\w .,\x80-\uffff]*"`,
    String.raw`'[-\w .,\x80-\uffff]*'`,
    String.raw`(?<![-\w\x80-\uffff])\(`,
    String.raw`(?<![-\w\x80-\uffff])(?:${FUNCTIONS.join('|')})\(`,
    String.raw`(?<![-\w\x80-\uffff])url\(#[-\w.:]+\))+$`,
  ].join('|'),
  'i',
);

/**
 * Whether a value (of an attribute) refers to nothing but elements of its own document: `url(#id)`, and no escapes
 * that could spell anything else.
 */
export function isLocalValue(value: string): boolean {
  return !FORBIDDEN_VALUES.test(value) && !/url\s*\(/i.test(value.replace(LOCAL_URL, ''));
}

/** The declarations of a `style` attribute that are known to be harmless, in one canonical form. */
export function cleanDeclarations(text: string): string {
  if (text.length > MAX_DECLARATIONS_LENGTH) return '';
  const declarations: string[] = [];
  let declaration = '';
  for (const token of tokens(text)) {
    if (token !== ';') declaration += token;
    else {
      declarations.push(cleanDeclaration(declaration));
      declaration = '';
    }
  }
  return [...declarations, cleanDeclaration(declaration)].filter((clean) => clean !== '').join(';');
}

/**
 * The plain rules of a style sheet that are known to be harmless, in one canonical form; every at-rule goes. Where
 * this and a browser would cut the text differently doesn't matter: each rule that is kept stands by itself.
 */
export function cleanStyleSheet(text: string): string {
  if (text.length > MAX_SHEET_LENGTH) return '';
  let [clean, selector, body, depth] = ['', '', '', 0];
  for (const token of tokens(text)) {
    if (token === '{') depth++;
    if (depth === 0) selector = token === ';' && selector.trimStart().startsWith('@') ? '' : selector + token;
    else body += token;
    if (token === '}' && depth > 0 && --depth === 0) {
      clean += cleanRule(selector.trim(), body.slice(1, -1));
      [selector, body] = ['', ''];
    }
  }
  return clean;
}

function cleanRule(selector: string, body: string): string {
  const isSelector =
    selector.length <= MAX_PART_LENGTH &&
    SELECTOR.test(selector) &&
    !NO_SELECTOR.test(selector) &&
    isBalanced(selector);
  if (!isSelector || body.includes('{')) return '';
  const declarations = cleanDeclarations(body);
  return declarations === '' ? '' : `${selector}{${declarations}}`;
}

function cleanDeclaration(text: string): string {
  const colon = text.indexOf(':');
  const property = text.slice(0, Math.max(0, colon)).trim();
  if (!PROPERTY.test(property) || FORBIDDEN_PROPERTIES.test(property)) return '';
  const value = text.slice(colon + 1).trim();
  if (value.length > MAX_PART_LENGTH) return '';
  const canonical = value.replace(/url\(\s*(["']?)(#[-\w.:]+)\1\s*\)/gi, 'url($2)');
  return VALUE.test(canonical) && isBalanced(canonical) ? `${property}:${canonical}` : '';
}

/** Newlines as CSS has them; comments become spaces. */
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
