/*
 * librsvg draws the picture that is moderated, browsers draw the picture that people see. These are the forms of values that both
 * read in the same way. A value that only one of them knows would give two different pictures.
 */

/** Seven digits at most: librsvg doesn't draw numbers of a thousand million. */
const NUMBER = String.raw`[-+]?(?:(?:\d{1,7}(?:\.\d+)?|\.\d+)(?:e-\d{1,2})?|\d(?:\.\d+)?e[0-6])`;
const LIST = String.raw`${NUMBER}(?:(?:\s+|\s*,\s*)${NUMBER})*`;
const LENGTH_ARGUMENT = String.raw`(?:0|${NUMBER}px)`;
const TRANSFORM_PROPERTY = whole(
  String.raw`none|(?:(?:translate[XY]?\(\s*${LENGTH_ARGUMENT}(?:\s*,\s*${LENGTH_ARGUMENT})?\s*\)|` +
    String.raw`scale[XY]?\(\s*${NUMBER}(?:\s*,\s*${NUMBER})?\s*\)|matrix\(\s*${LIST}\s*\)|` +
    String.raw`(?:rotate|skew[XY])\(\s*(?:0|${NUMBER}(?:deg|rad|grad|turn))\s*\))(?:\s+(?!$))?)+`,
);
const REFERENCE = whole(String.raw`none|inherit|url\(#[-\w.:]+\)`);

const PROPERTIES: ReadonlyMap<string, RegExp> = new Map([
  ['display', whole('none|inline|block')],
  ['visibility', whole('visible|hidden|collapse|inherit')],
  ['overflow', whole('visible|hidden|scroll|auto')],
  [
    'mix-blend-mode',
    whole(
      'normal|multiply|screen|overlay|darken|lighten|color-dodge|color-burn|hard-light|soft-light|difference|exclusion|' +
        'hue|saturation|color|luminosity',
    ),
  ],
  // Filter functions are computed in different colour spaces.
  ['filter', REFERENCE],
  ['mask', REFERENCE],
  ['clip-path', REFERENCE],
  ['transform', TRANSFORM_PROPERTY],
  ['font-size', whole(String.raw`inherit|larger|smaller|${NUMBER}(?:px|pt|pc|in|cm|mm|em|%)?`)],
]);

const ATTRIBUTES: ReadonlyMap<string, RegExp> = new Map([
  ['preserveAspectRatio', whole('none|xM(?:in|id|ax)YM(?:in|id|ax)(?:\\s+(?:meet|slice))?')],
  [
    'type',
    whole(
      'matrix|saturate|hueRotate|luminanceToAlpha|identity|table|discrete|linear|gamma|turbulence|fractalNoise|' +
        'text/css',
    ),
  ],
  ['operator', whole('over|in|out|atop|xor|arithmetic|erode|dilate')],
  ['in', /^(?!\s*(?:BackgroundImage|BackgroundAlpha|FillPaint|StrokePaint)\s*$)/],
  ['in2', /^(?!\s*(?:BackgroundImage|BackgroundAlpha|FillPaint|StrokePaint)\s*$)/],
]);

/** Attributes that are a length, or a list of lengths; true if they may not be negative. */
const LENGTHS: ReadonlyMap<string, boolean> = new Map([
  ...['x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'fx', 'fy', 'dx', 'dy', 'refX', 'refY'].map(
    (name) => [name, false] as const,
  ),
  ...['width', 'height', 'r', 'rx', 'ry', 'markerWidth', 'markerHeight'].map((name) => [name, true] as const),
]);
const LENGTH_LIST = whole(
  String.raw`${NUMBER}(?:px|pt|pc|in|cm|mm|em|%)?(?:(?:\s+|\s*,\s*)${NUMBER}(?:px|pt|pc|in|cm|mm|em|%)?)*`,
);

/** The named font sizes, in pixels as in browsers; librsvg's are smaller. */
const FONT_SIZES: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
};
const NAMED_SIZE = new RegExp(`(?<![-\\w])(?:${Object.keys(FONT_SIZES).join('|')})(?![-\\w])`, 'gi');

/** Units that only browsers know, or that depend on the font; and their length in pixels. */
const FOREIGN_UNITS: Readonly<Record<string, readonly [number, string]>> = {
  rem: [16, 'px'],
  q: [96 / 101.6, 'px'],
  ex: [0.5, 'em'],
};
const FOREIGN_LENGTH = /(?<![-+\w.#])([-+]?(?:\d{1,7}(?:\.\d{1,9})?|\.\d{1,9}))(rem|q|ex)(?![-\w%])/gi;
const FOREIGN_REST = /\d\.?(?:rem|q|ex)(?![-\w])/i;
const UPPER_UNIT = /(\d\.?)(PX|PT|PC|IN|CM|MM|EM)(?![-\w])/gi;
/** Excludes the names of system fonts. */
const FONT_WITH_SIZE = /(?:\d(?:px|pt|pc|in|cm|mm|em|%)|larger|smaller)(?=[\s/])/;
/** Values that refer to another value. librsvg doesn't know all of these words. */
const WIDE_KEYWORD = /^(?:initial|unset|revert|revert-layer|default)$/i;
/** HSL colours with numbers instead of percentages. */
const BARE_HSL = /hsla?\([^)%]*\)/i;

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

/** A value in units that both know; undefined if it can't be converted. */
function agreedUnits(value: string): string | undefined {
  const agreed = value
    .replace(FOREIGN_LENGTH, (_, number: string, unit: string) => {
      const [factor, known] = FOREIGN_UNITS[unit.toLowerCase()] ?? [1, ''];
      return `${Number((Number(number) * factor).toFixed(4))}${known}`;
    })
    .replace(UPPER_UNIT, (_, digit: string, unit: string) => digit + unit.toLowerCase());
  return FOREIGN_REST.test(agreed) ? undefined : agreed;
}

/** The value of a property in a form that both read in the same way; undefined if there is none. */
export function agreedProperty(property: string, value: string): string | undefined {
  const mark = value.indexOf('!');
  const [bare, important] = mark < 0 ? [value, ''] : [value.slice(0, mark).trimEnd(), value.slice(mark)];
  if (important && !/^!\s*important$/i.test(important)) return undefined;
  if (WIDE_KEYWORD.test(bare) || BARE_HSL.test(bare)) return undefined;
  const named = /^font(?:-size)?$/.test(property)
    ? bare.replace(NAMED_SIZE, (name) => `${FONT_SIZES[name.toLowerCase()] ?? 16}px`)
    : bare;
  const agreed = agreedUnits(named);
  if (agreed === undefined || (property === 'font' && !FONT_WITH_SIZE.test(agreed))) return undefined;
  const pattern = PROPERTIES.get(property);
  if (pattern && !pattern.test(agreed)) return undefined;
  return agreed === bare ? value : `${agreed}${important && '!important'}`;
}

/** Characters of such an attribute: enough for the positions of some thousand letters. */
const MAX_ATTRIBUTE_LENGTH = 64 * 1024;

/** The value of an attribute that is no property, in a form that both read in the same way; undefined if there is none. */
export function agreedAttribute(name: string, value: string): string | undefined {
  if (value.length > MAX_ATTRIBUTE_LENGTH) return undefined;
  const pattern = ATTRIBUTES.get(name);
  if (pattern) return pattern.test(value.trim()) ? value : undefined;
  if (/transform$/i.test(name)) return isAgreedTransform(value) ? value : undefined;
  const isPositive = LENGTHS.get(name);
  if (isPositive === undefined) return value;
  const agreed = agreedUnits(value);
  if (agreed === undefined || !LENGTH_LIST.test(agreed.trim())) return undefined;
  return isPositive && agreed.trim().startsWith('-') ? undefined : agreed;
}

const TRANSFORM = /\s*(?:matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)\s*(,?)/y;

/** A transform in an attribute has plain numbers; a transform in CSS has units. */
function isAgreedTransform(value: string): boolean {
  const text = value.trim();
  if (text === 'none') return true;
  let endsOpen = true;
  for (TRANSFORM.lastIndex = 0; TRANSFORM.lastIndex < text.length;) {
    const found = TRANSFORM.exec(text);
    if (!found || !isAgreedPath('numbers', found[1] ?? '')) return false;
    endsOpen = found[2] !== '';
  }
  return !endsOpen;
}

const COMMAND = /[MZLHVCSQTA]/i;
const TOKEN = /\s+|,|[a-z]|[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d{1,2})?/giy;
/** librsvg doesn't draw larger numbers. */
const MAX_COORDINATE = 1e6;

/** Whether both read this path data (`d`), these pairs of numbers (`points`) or these numbers to the end. */
export function isAgreedPath(name: string, data: string): boolean {
  let [last, numbers] = ['', 0];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < data.length) {
    const [token] = TOKEN.exec(data) ?? [];
    if (token === undefined) return false;
    if (token.trim() === '') continue;
    if (token === ',') {
      if (last !== 'number') return false;
      last = ',';
    } else if (COMMAND.test(token) && token.length === 1) {
      if (name !== 'd' || last === ',') return false;
      last = 'command';
    } else {
      if (!(Math.abs(Number(token)) <= MAX_COORDINATE)) return false;
      last = 'number';
      numbers++;
    }
  }
  return last !== ',' && (name !== 'points' || numbers % 2 === 0);
}
