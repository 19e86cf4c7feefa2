import { lexer } from 'css-tree';
import { endOfAnimation } from './animations';
import { COLOURS, KEYWORDS, PROPERTIES, STYLE_ONLY } from './properties';
import { isForEveryScreen, parseDeclarations, StyleSheets, type Declaration } from './stylesheet';
import { descendants, elementsIn, type SvgElement } from './tree';
import { withoutCalculations } from './calculations';
import { absoluteColour, longhands } from './values';

/** The attribute for a transform in the notation of CSS, which is not that of the attribute. */
export const CSS_TRANSFORM = 'css-transform';
/** Characters of a value after its variables are replaced. Variables of variables can double a value many times. */
const MAX_VALUE = 16_384;
/** Variables in one value. */
const MAX_VARIABLES = 64;
const INLINE = Number.MAX_SAFE_INTEGER;

/**
 * Writes what the style sheets and `style` attributes say into presentation attributes, as CSS Cascade orders it:
 * presentation attributes, rules by specificity and order, `style`, the end of animations, `!important`. Replaces
 * variables. Then removes the sheets, `style` and `class`. The root's background is kept as `background-color`.
 */
export function computeStyles(root: SvgElement): void {
  const sheets = new StyleSheets();
  for (const element of descendants(root)) {
    if (element.name !== 'style') continue;
    const { attributes, children } = element;
    if (
      isForEveryScreen(attributes.get('media') ?? '') &&
      /^(?:|text\/css)$/i.test(attributes.get('type') ?? '')
    )
      sheets.add(children.filter((child) => typeof child === 'string').join(''));
  }
  const styled = [...stylesOf(root, sheets, new Map())];
  // Attributes change only now, because selectors read them.
  for (const { element, values } of styled) {
    for (const name of ['style', 'class']) element.attributes.delete(name);
    for (const [property, value] of values) {
      if (value === undefined) element.attributes.delete(property);
      else element.attributes.set(property, value);
    }
    writeStyle(element);
    element.children = element.children.filter(
      (child) => typeof child === 'string' || child.name !== 'style',
    );
  }
}

/** usvg reads these two in `style` alone. */
function writeStyle({ attributes }: SvgElement): void {
  const style = ['mix-blend-mode', 'isolation'].flatMap((name) => {
    const value = attributes.get(name);
    attributes.delete(name);
    return value === undefined || value === 'inherit' ? [] : [`${name}:${value}`];
  });
  if (style.length > 0) attributes.set('style', style.join(';'));
}

interface Styled {
  readonly element: SvgElement;
  /** Values by property; undefined for an attribute that a declaration removes. */
  readonly values: ReadonlyMap<string, string | undefined>;
}

type Variables = ReadonlyMap<string, string>;

function* stylesOf(element: SvgElement, sheets: StyleSheets, inherited: Variables): Generator<Styled> {
  const declared = inOrder(element, sheets);
  const variables = new Map(inherited);
  for (const { property, value } of declared) if (property.startsWith('--')) variables.set(property, value);
  const values = new Map<string, string | undefined>();
  for (const [name, value] of element.attributes)
    if (name in PROPERTIES) values.set(name, presentationValue(name, value, variables));
  apply(declared, variables, values);
  const animation = values.get('animation');
  values.delete('animation');
  if (animation !== undefined) {
    const frame = endOfAnimation(animation, sheets.lastFrames);
    const important = new Set(declared.flatMap(({ property, important }) => (important ? [property] : [])));
    apply(
      frame.filter(({ property }) => !important.has(property)),
      variables,
      values,
    );
  }
  if (element.parent) values.delete('background-color');
  yield { element, values };
  for (const child of elementsIn(element))
    if (child.name !== 'style') yield* stylesOf(child, sheets, variables);
}

/** The value of a presentation attribute; undefined if browsers ignore it. */
function presentationValue(name: string, text: string, variables: Variables): string | undefined {
  if (STYLE_ONLY.has(name)) return undefined;
  const value = substituted(text, variables);
  if (value === undefined) return undefined;
  if (COLOURS.has(name)) return absoluteColour(value);
  if (name === 'filter' && !isValid(name, value)) return undefined;
  return normalCase(name, value);
}

function inOrder(element: SvgElement, sheets: StyleSheets): Declaration[] {
  const weighted = sheets
    .matching(element)
    .flatMap(({ declarations, specificity, order }) => declarations.map((d) => ({ d, specificity, order })));
  for (const d of parseDeclarations(element.attributes.get('style') ?? ''))
    weighted.push({ d, specificity: INLINE, order: INLINE });
  return weighted
    .sort(
      (a, b) =>
        Number(a.d.important) - Number(b.d.important) || a.specificity - b.specificity || a.order - b.order,
    )
    .map(({ d }) => d);
}

function apply(
  declarations: readonly Declaration[],
  variables: Variables,
  values: Map<string, string | undefined>,
): void {
  for (const { property, value, isInline } of declarations) {
    if (property.startsWith('--')) continue;
    for (const [name, part] of longhands(property, substituted(value, variables) ?? '')) {
      const text = valid(name, part, isInline);
      if (text === undefined) continue;
      const target = name === 'transform' ? CSS_TRANSFORM : name;
      values.set(target, text === INITIAL_ATTRIBUTE ? undefined : text);
      if (name === 'transform') values.set('transform', undefined);
    }
  }
}

/** Stands for a declaration that takes back a presentation attribute. */
const INITIAL_ATTRIBUTE = '\0';

/** The value of a declaration without variables; undefined if browsers would ignore it. */
function valid(property: string, text: string, isInline: boolean): string | undefined {
  if (text === '') return undefined;
  if (property === 'animation') return text;
  if (property === 'background-color') return absoluteColour(text);
  const known = PROPERTIES[property];
  if (!known) return undefined;
  const keyword = text.toLowerCase();
  if (keyword === 'inherit') return 'inherit';
  if (keyword === 'unset' || keyword === 'revert' || keyword === 'revert-layer')
    return known.inherited ? 'inherit' : INITIAL_ATTRIBUTE;
  if (keyword === 'initial') return known.inherited ? known.initial : INITIAL_ATTRIBUTE;
  if (COLOURS.has(property)) return absoluteColour(text);
  if (property === 'd') return /^path\(\s*["']([^"']*)["']\s*\)$/i.exec(text)?.[1];
  const isNumber =
    NUMBER.test(text) && property !== 'transform-origin' && (isInline || !NEEDS_UNIT.has(property));
  return isNumber || isValid(property, text) ? normalCase(property, text) : undefined;
}

const NUMBER = /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i;
/** Properties whose lengths need a unit in style sheets, because other documents have them too. */
const NEEDS_UNIT: ReadonlySet<string> = new Set([
  ...['width', 'height', 'font-size', 'letter-spacing', 'word-spacing'],
]);

/** usvg knows key words in lower case only. */
const normalCase = (property: string, value: string): string =>
  KEYWORDS.has(property) ? value.trim().toLowerCase() : value;

/** Whether css-tree's grammar of the property, which is that of CSS, accepts the value. */
function isValid(property: string, value: string): boolean {
  try {
    const { error } = lexer.matchProperty(property, value);
    return error === null || error.message.startsWith('Unknown property');
  } catch {
    return false;
  }
}

/** The value with its variables replaced; undefined if one of them has no value. */
function substituted(
  value: string,
  variables: Variables,
  inside: readonly string[] = [],
): string | undefined {
  let text = value;
  for (let count = 0; ; count++) {
    const at = text.search(/var\(/i);
    if (at < 0) return withoutCalculations(text);
    if (count > MAX_VARIABLES || text.length > MAX_VALUE) return undefined;
    const end = closingBracket(text, at + 3);
    const inner = text.slice(at + 4, end);
    const comma = inner.indexOf(',');
    const name = (comma < 0 ? inner : inner.slice(0, comma)).trim();
    const defined = inside.includes(name) ? undefined : variables.get(name);
    const replacement =
      (defined === undefined ? undefined : substituted(defined, variables, [...inside, name])) ??
      (comma < 0 ? undefined : substituted(inner.slice(comma + 1), variables, inside));
    if (replacement === undefined) return undefined;
    text = `${text.slice(0, at)}${replacement.trim()}${text.slice(end + 1)}`;
  }
}

function closingBracket(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}
