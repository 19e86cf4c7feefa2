import { formatHex, formatHex8, parse as parseColour, rgb } from 'culori';
import { generate, parse, type CssNode } from 'css-tree';

/** The parts of a value, as css-tree names them; none if the value is malformed. */
export function partsOf(value: string): CssNode[] {
  try {
    const list = parse(value, { context: 'value', onParseError: () => undefined });
    return list.type === 'Value' ? list.children.toArray() : [];
  } catch {
    return [];
  }
}

/** The parts between the commas of a value. */
export function listOf(value: string): CssNode[][] {
  const lists: CssNode[][] = [[]];
  for (const part of partsOf(value)) {
    if (part.type === 'Operator' && part.value === ',') lists.push([]);
    else lists.at(-1)?.push(part);
  }
  return lists;
}

/** Pixels in one of each absolute unit of a length (CSS Values, 6.2), and in font-relative ones at 16 pixels. */
const LENGTHS: Readonly<Record<string, number>> = {
  ...{ '': 1, px: 1, pt: 96 / 72, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, q: 96 / 101.6 },
  ...{ em: 16, rem: 16, ex: 8, ch: 8 },
};

/** No real number with its unit is longer. */
const MAX_NUMBER = 256;
const NUMBER = /^[-+]?[\d.]+(?:e[-+]?\d+)?/i;

/** A number and the unit behind it, in lower case; NaN and an empty unit for anything else. */
export function parseDimension(value: string): { readonly number: number; readonly unit: string } {
  const text = value.length > MAX_NUMBER ? '' : value.trim();
  const digits = NUMBER.exec(text)?.[0] ?? '';
  const unit = text.slice(digits.length).toLowerCase();
  return digits !== '' && /^(?:[a-z]*|%)$/.test(unit)
    ? { number: Number(digits), unit }
    : { number: NaN, unit: '' };
}

/** A length in pixels, percentages of `whole`; undefined if it is absent or no length. */
export function parseLength(value: string | undefined, whole: number): number | undefined {
  const { number, unit } = parseDimension(value ?? '');
  const pixels = number * (unit === '%' ? whole / 100 : (LENGTHS[unit] ?? NaN));
  return Number.isNaN(pixels) ? undefined : pixels;
}

/** Units that usvg doesn't know; the first four don't depend on the window. */
const UNKNOWN_UNITS: ReadonlySet<string> = new Set(['rem', 'q', 'ch', 'vw', 'vh', 'vmin', 'vmax']);
const MAY_HAVE_UNKNOWN_UNIT = /\d(?:rem|q|ch|vw|vh|vm)/i;

/** The value with pixels in place of units that usvg doesn't know; a window is as large as the drawing. */
export function withKnownUnits(value: string, { width, height }: { width: number; height: number }): string {
  if (!MAY_HAVE_UNKNOWN_UNIT.test(value)) return value;
  const windows: Readonly<Record<string, number>> = {
    vw: width / 100,
    vh: height / 100,
    vmin: Math.min(width, height) / 100,
    vmax: Math.max(width, height) / 100,
  };
  return partsOf(value)
    .map((part) => {
      if (part.type !== 'Dimension' || !UNKNOWN_UNITS.has(part.unit.toLowerCase())) return generate(part);
      const unit = part.unit.toLowerCase();
      return String(Number(part.value) * (windows[unit] ?? LENGTHS[unit] ?? 1));
    })
    .join(' ');
}

/** The longhands that a declaration sets, as far as they draw. */
export function longhands(property: string, value: string): [name: string, value: string][] {
  switch (property) {
    case 'font':
      return fontLonghands(value);
    case 'marker':
      return ['marker-start', 'marker-mid', 'marker-end'].map((name) => [name, value]);
    case 'background':
      return [['background-color', backgroundColour(value)]];
    case 'text-decoration-line':
      return [['text-decoration', value]];
    case 'text-decoration':
      return [[property, value.match(/underline|overline|line-through|none|inherit/gi)?.join(' ') ?? value]];
    case '-webkit-animation':
      return [['animation', value]];
    default:
      return [[property, value]];
  }
}

const SIZES: Readonly<Record<string, string>> = {
  'xx-small': '9px',
  'x-small': '10px',
  small: '13px',
  medium: '16px',
  large: '18px',
  'x-large': '24px',
  'xx-large': '32px',
  'xxx-large': '48px',
  smaller: '0.8333em',
  larger: '1.2em',
};

/** A font size without key words. */
export const fontSize = (value: string): string => SIZES[value.trim().toLowerCase()] ?? value;

const WIDE_KEYWORDS = /^(?:inherit|initial|unset|revert|revert-layer)$/i;

/** CSS Fonts, "Shorthand font property": style, variant, weight and stretch in any order, then size and family. */
function fontLonghands(value: string): [string, string][] {
  if (WIDE_KEYWORDS.test(value.trim()))
    return ['style', 'variant', 'weight', 'size', 'family'].map((part) => [`font-${part}`, value]);
  const parts = partsOf(value);
  const at = parts.findIndex(
    (part) =>
      part.type === 'Dimension' ||
      part.type === 'Percentage' ||
      (part.type === 'Identifier' && part.name.toLowerCase() in SIZES),
  );
  const size = parts[at];
  const hasLineHeight = parts[at + 1]?.type === 'Operator';
  const family = parts.slice(at + (hasLineHeight ? 3 : 1)).map((part) => generate(part));
  if (!size || family.length === 0) return [];
  const words = parts.slice(0, at).map((part) => generate(part).toLowerCase());
  const first = (pattern: RegExp): string => words.find((word) => pattern.test(word)) ?? 'normal';
  return [
    ['font-style', first(/^(?:italic|oblique)$/)],
    ['font-variant', first(/^small-caps$/)],
    ['font-weight', first(/^(?:bold|bolder|lighter|\d+)$/)],
    ['font-size', generate(size)],
    ['font-family', family.join(' ')],
  ];
}

/** The colour in a `background`, which stands with the last of its pictures. */
function backgroundColour(value: string): string {
  const colours = partsOf(value)
    .map((part) => generate(part))
    .filter((text) => !/^(?:none|currentcolor)$/i.test(text) && parseColour(text) !== undefined);
  return colours.at(-1) ?? 'transparent';
}

const KEYWORDS = /^(?:none|inherit|context-fill|context-stroke)$/i;

/**
 * A colour or paint in a notation that usvg knows, in sRGB: `#rrggbb` or `#rrggbbaa`. Undefined if browsers would ignore it.
 */
export function absoluteColour(value: string): string | undefined {
  const text = value.trim();
  if (KEYWORDS.test(text)) return text.toLowerCase();
  if (text.toLowerCase() === 'currentcolor') return 'currentColor';
  if (text.toLowerCase().startsWith('url(')) return paintWithReference(text);
  const icc = text.toLowerCase().indexOf('icc-color(');
  const colour = rgb(parseColour(icc < 0 ? text : text.slice(0, icc).trim()));
  if (!colour) return undefined;
  const clipped = { ...colour, r: clip(colour.r), g: clip(colour.g), b: clip(colour.b) };
  return (clipped.alpha ?? 1) < 1 ? formatHex8(clipped) : formatHex(clipped);
}

/** A paint server, and the colour for the case that it doesn't exist. */
function paintWithReference(text: string): string | undefined {
  const [server, ...rest] = partsOf(text);
  if (server?.type !== 'Url') return undefined;
  const other = rest.length === 0 ? '' : absoluteColour(rest.map((part) => generate(part)).join(' '));
  if (!server.value.startsWith('#')) return other || 'none';
  return other === undefined ? undefined : `url(${server.value}) ${other}`.trim();
}

const clip = (share: number): number => Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
