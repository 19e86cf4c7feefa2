/** Longer styles are no drawing's, and would hold up everybody else. */
const MAX_DECLARATIONS_LENGTH = 64 * 1024;
const MAX_SHEET_LENGTH = 1024 * 1024;
/** Rules within rules (`@media`) nest no deeper than this. */
const MAX_DEPTH = 8;
/** At-rules that hold rules and name nothing outside of the document. */
const KEPT_AT_RULES = /^@(media|supports|keyframes|-webkit-keyframes)\b/i;
const PROPERTY = /^-{0,2}[a-z][a-z0-9-]*$/i;
const FORBIDDEN_PROPERTIES = /^(behavior|-moz-binding|src)$/i;
/** Functions that fetch (`url` is looked at by itself), and what could hide one. */
const FORBIDDEN_VALUES =
  /\\|[<@]|expression\(|(?:image|image-set|cross-fade|src|element|attr|paint)\(|javascript:/i;
const LOCAL_URL = /url\(\s*(?:#[^\s"'()\\]*|"#[^"()\\]*"|'#[^'()\\]*')\s*\)/gi;

/**
 * Whether a value (of a property, or of an attribute) refers to nothing but elements of its own document:
 * `url(#id)`, and no escapes that could spell anything else.
 */
export function isLocalValue(value: string): boolean {
  return !FORBIDDEN_VALUES.test(value) && !/url\s*\(/i.test(value.replace(LOCAL_URL, ''));
}

/** The declarations of a `style` attribute that refer to nothing outside, in one canonical form. */
export function cleanDeclarations(text: string): string {
  if (text.length > MAX_DECLARATIONS_LENGTH) return '';
  return splitOutside(withoutComments(text), ';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':');
      const property = declaration.slice(0, Math.max(0, colon)).trim();
      const value = declaration.slice(colon + 1).trim();
      const isKept =
        PROPERTY.test(property) &&
        !FORBIDDEN_PROPERTIES.test(property) &&
        value !== '' &&
        isLocalValue(value);
      return isKept && !/[{}]/.test(value) ? [`${property}:${value}`] : [];
    })
    .join(';');
}

/** The rules of a style sheet that refer to nothing outside, in one canonical form. */
export function cleanStyleSheet(text: string): string {
  return text.length > MAX_SHEET_LENGTH ? '' : cleanRules(withoutComments(text), 0);
}

function cleanRules(text: string, depth: number): string {
  if (depth > MAX_DEPTH) return '';
  let [clean, at] = ['', 0];
  while (at < text.length) {
    const open = findOutside(text, at, '{;');
    if (open < 0) break;
    const head = text.slice(at, open).trim();
    if (text[open] === ';') {
      at = open + 1; // a statement such as @import
      continue;
    }
    const close = closingBrace(text, open);
    clean += cleanRule(head, text.slice(open + 1, close), depth);
    at = close + 1;
  }
  return clean;
}

function cleanRule(head: string, body: string, depth: number): string {
  const isGroup = head.startsWith('@');
  if (head === '' || /[\\<{}]/.test(head) || /url\s*\(/i.test(head) || (isGroup && !KEPT_AT_RULES.test(head)))
    return '';
  const inner = isGroup ? cleanRules(body, depth + 1) : cleanDeclarations(body);
  return inner === '' ? '' : `${head}{${inner}}`;
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at >= 0; at = findOutside(text, at + 1, '{}')) {
    depth += text[at] === '{' ? 1 : -1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** Comments become spaces, as CSS has it; those within strings are none. */
function withoutComments(text: string): string {
  return text.replace(/"[^"\n]*"|'[^'\n]*'|\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, (found) =>
    found.startsWith('"') || found.startsWith("'") ? found : ' ',
  );
}

/** The first of these characters that lies in no string, from `at` on; -1 where there is none. */
function findOutside(text: string, at: number, wanted: string): number {
  let quote = '';
  for (let i = at; i < text.length; i++) {
    const char = text[i] ?? '';
    if (quote !== '') {
      if (char === quote || char === '\n') quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (wanted.includes(char)) return i;
  }
  return -1;
}

function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = findOutside(text, 0, separator); at >= 0; at = findOutside(text, from, separator)) {
    parts.push(text.slice(from, at));
    from = at + 1;
  }
  return [...parts, text.slice(from)];
}
