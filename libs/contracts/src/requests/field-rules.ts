import { isEmail, isRFC3339 } from 'class-validator';
import { isSlug } from '../vocabulary/identifiers';
import { MAX_LENGTHS, MAX_TAG_LENGTH, MAX_TAGS } from '../vocabulary/limits';
import { toTagName, toTagNames } from '../vocabulary/texts';

/**
 * Checks one field of a request. Returns null if it is valid, otherwise an error message. A message about an item of a list
 * names it as `<name>.<index>`. `undefined` means that the field was not sent.
 */
export type FieldRule = (name: string, value: unknown) => string | null;

export interface Presence {
  /** The field must be sent. */
  readonly required?: boolean;
  /** The field may be null, which clears the value. */
  readonly nullable?: boolean;
}

export interface TextLimits {
  /** Unicode code points. */
  readonly min?: number;
  /** Unicode code points. */
  readonly max: number;
  /** Line breaks and tabs are allowed. */
  readonly multiline?: boolean;
  /**
   * Bidirectional embeddings, overrides and isolates are allowed. Absent: only in multiline texts. In a text of one line
   * they can reverse the words around it, so that a name looks like another one.
   */
  readonly directional?: boolean;
  /** Pattern of the whole text, and the end of the error message `The … field must …` that describes it. */
  readonly shape?: { readonly pattern: RegExp; readonly must: string };
}

const CONTROL = /[\p{Cc}\p{Surrogate}]/u;
const CONTROL_BUT_LAYOUT = /[^\P{Cc}\n\r\t]|\p{Surrogate}/u;

const DIRECTIONAL = /[\u202A-\u202E\u2066-\u2069]/;

/** A character is at most four UTF-16 units before it is in NFC, e.g. U+1F82 is U+03B1 U+0313 U+0300 U+0345. */
const UNITS_BEFORE_NFC = 4;
/** A code point is at most two UTF-16 units. */
const UNITS_PER_CHARACTER = 2;

/**
 * More combining marks in a row than any language uses: 30 are enough for all (UAX 15, 13). Bringing a run of marks into
 * NFC takes time that is quadratic in its length.
 */
const MAX_MARKS = 64;
const TOO_MANY_MARKS = new RegExp(`\\p{M}{${MAX_MARKS + 1}}`, 'u');

/**
 * A text in NFC, as the rules of a field of `max` characters judge it. A text that breaks the field's rule in any
 * spelling is returned unchanged, and the rule refuses it, because bringing it into NFC could take a very long time.
 */
export const toNfc = (text: string, max: number): string =>
  text.length > UNITS_BEFORE_NFC * max || TOO_MANY_MARKS.test(text) ? text : text.normalize('NFC');

/** The number of characters, as limits count them: Unicode code points. Only for texts whose length is bounded. */
const lengthOf = (text: string): number => [...text].length;

/** Extends a rule for a present value by the handling of absent, empty and null values. */
const present =
  ({ required, nullable }: Presence, rule: FieldRule): FieldRule =>
  (name, value) => {
    if (value === undefined || (value === null && !nullable) || (required && value === '')) {
      return required || value === null ? `The ${name} field is required.` : null;
    }
    return value === null ? null : rule(name, value);
  };

/**
 * A text without control characters, of a certain length and shape. Its length in UTF-16 units is checked before everything
 * else.
 */
export const text = (options: Presence & TextLimits): FieldRule =>
  present(options, (name, value) => {
    if (typeof value !== 'string') return `The ${name} field must be a string.`;
    const length = value.length > UNITS_PER_CHARACTER * options.max ? value.length : lengthOf(value);
    if (length > options.max) {
      return `The ${name} field must not be greater than ${options.max} characters.`;
    }
    if ((options.multiline ? CONTROL_BUT_LAYOUT : CONTROL).test(value)) {
      return `The ${name} field must not contain control characters.`;
    }
    if (!(options.directional ?? options.multiline) && DIRECTIONAL.test(value)) {
      return `The ${name} field must not contain bidirectional control characters.`;
    }
    if (TOO_MANY_MARKS.test(value)) {
      return `The ${name} field must not contain more than ${MAX_MARKS} combining marks in a row.`;
    }
    if (options.min !== undefined && length < options.min) {
      return `The ${name} field must be at least ${options.min} characters.`;
    }
    if (options.shape && !options.shape.pattern.test(value))
      return `The ${name} field must ${options.shape.must}.`;
    return null;
  });

/** The pattern, for the API document, of the characters that a text without its own shape may have. */
export function charactersOf({
  multiline = false,
  directional = multiline,
}: Partial<TextLimits> = {}): string {
  const control = multiline
    ? '\\u0000-\\b\\u000B\\f\\u000E-\\u001F\\u007F-\\u009F'
    : '\\u0000-\\u001F\\u007F-\\u009F';
  return `^[^${control}${directional ? '' : '\\u202A-\\u202E\\u2066-\\u2069'}]*$`;
}

/** An email address of at most `MAX_LENGTHS.email` characters. */
export const email = (options: Presence): FieldRule =>
  present(options, (name, value) =>
    // The library throws for a lone surrogate, which `text` refuses.
    typeof value === 'string' && text({ max: MAX_LENGTHS.email })(name, value) === null && isEmail(value)
      ? null
      : `The ${name} field must be a valid email address.`,
  );

/** One of the given words. */
export const choice = (options: Presence, words: readonly string[]): FieldRule =>
  present(options, (name, value) =>
    words.some((word) => word === value) ? null : `The selected ${name} is invalid.`,
  );

/** A list of one or more of the given words, each at most once. */
export const choices = (options: Presence, words: readonly string[]): FieldRule =>
  present(options, (name, value) => {
    if (!Array.isArray(value)) return `The ${name} field must be an array.`;
    if (value.length === 0) return `The ${name} field must have at least 1 items.`;
    const unknown = value.findIndex((item) => !words.includes(item));
    if (unknown >= 0) return `The selected ${name}.${unknown} is invalid.`;
    const duplicate = value.findIndex((item, index) => value.indexOf(item) < index);
    return duplicate >= 0 ? `The ${name}.${duplicate} field has a duplicate value.` : null;
  });

/** A date and time with its offset from UTC (RFC 3339), up to the end of the year 9999. */
export const instant = (options: Presence): FieldRule =>
  present(options, (name, value) =>
    typeof value === 'string' &&
    value.length <= MAX_INSTANT &&
    isRFC3339(value) &&
    isDay(value.slice(0, 10)) &&
    Date.parse(value) < YEAR_10000
      ? null
      : `The ${name} field must be a valid date.`,
  );

/** UTF-16 units of the longest date and time; RFC 3339 allows any number of digits after the second. */
export const MAX_INSTANT = 64;
const YEAR_10000 = Date.UTC(10_000, 0);

/** Whether a day such as `2030-02-28` exists. `Date` by itself would read February 30th as March 2nd. */
function isDay(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

export interface NumberLimits {
  readonly min?: number;
  readonly max?: number;
}

/** A whole number between -(2^53 - 1) and 2^53 - 1, or its decimal digits as in a query string. */
export const wholeNumber = ({ min, max, ...presence }: Presence & NumberLimits): FieldRule =>
  presentNumber(presence, (name, value) => {
    const number = toWholeNumber(value);
    if (number === null) return `The ${name} field must be an integer.`;
    if (min !== undefined && number < min) return `The ${name} field must be at least ${min}.`;
    if (max !== undefined && number > max) return `The ${name} field must not be greater than ${max}.`;
    return null;
  });

/** Like `present`, but an empty text counts as an invalid number, not as absent. */
const presentNumber =
  (presence: Presence, rule: FieldRule): FieldRule =>
  (name, value) =>
    value === '' ? rule(name, value) : present(presence, rule)(name, value);

/** Reads a JSON number or decimal digits as a whole number; null if it is none. */
export function toWholeNumber(value: unknown): number | null {
  const number =
    typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : (value as number | undefined);
  return Number.isSafeInteger(number) ? (number as number) : null;
}

/** Reads the id or slug of an item; null if the value is neither. */
export const toIdOrSlug = (value: unknown): number | string | null =>
  typeof value === 'string' && isSlug(value) ? value : toWholeNumber(value);

/** The id of an item as a whole number, or its slug. */
export const idOrSlug: FieldRule = (name, value) =>
  typeof value === 'string' && isSlug(value) ? null : wholeNumber({ required: true })(name, value);

/** True or false, also in the spellings of query strings. */
export const flag = (options: Presence): FieldRule =>
  present(options, (name, value) =>
    toFlag(value) === null ? `The ${name} field must be true or false.` : null,
  );

/** Reads a flag; null if the value is neither true nor false. */
export function toFlag(value: unknown): boolean | null {
  if (value === true || value === 1 || value === '1' || value === 'true') return true;
  return value === false || value === 0 || value === '0' || value === 'false' ? false : null;
}

const FORM_FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['false', false],
  ['off', false],
]);

/** Reads a flag of a form, where checkboxes write `on` and some languages `True`; null if the text is no flag. */
export const toFormFlag = (text: string): boolean | null =>
  FORM_FLAGS.get(text.toLowerCase()) ?? toFlag(text);

export interface ListLimits {
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A list whose items all follow a rule and have different keys. */
export const list = (
  { minItems = 0, maxItems = Infinity, ...presence }: Presence & ListLimits,
  itemRule: FieldRule,
  keyOf: (item: unknown) => unknown = (item) => item,
): FieldRule =>
  present(presence, (name, value) => {
    if (!Array.isArray(value)) return `The ${name} field must be an array.`;
    if (value.length < minItems) return `The ${name} field must have at least ${minItems} items.`;
    if (value.length > maxItems) return `The ${name} field must not have more than ${maxItems} items.`;
    const seen = new Set<unknown>();
    for (const [index, item] of value.entries()) {
      const problem = itemRule(`${name}.${index}`, item ?? undefined);
      if (problem !== null) return problem;
      if (seen.has(keyOf(item))) return `The ${name}.${index} field has a duplicate value.`;
      seen.add(keyOf(item));
    }
    return null;
  });

/** Largest number of different texts of a list that are checked; no list may hold so many. */
export const MAX_SPELLINGS = 100;

/** Names of tags: Unicode letters, digits, `-`, `_` and spaces. Duplicates are ignored, up to `MAX_SPELLINGS` spellings. */
export const tagNames = (options: Presence): FieldRule =>
  present(options, (name, value) => {
    if (!Array.isArray(value)) return `The ${name} field must be an array.`;
    const judged = new Set<unknown>();
    for (const [index, item] of value.entries()) {
      if (judged.has(item)) continue;
      if (judged.size === MAX_SPELLINGS)
        return `The ${name} field must not have more than ${MAX_TAGS} items.`;
      const problem = tagName(`${name}.${index}`, item ?? undefined);
      if (problem !== null) return problem;
      judged.add(item);
    }
    return toTagNames(value as string[]).length > MAX_TAGS
      ? `The ${name} field must not have more than ${MAX_TAGS} items.`
      : null;
  });

/** At least one character is not a space. */
export const TAG_NAME_PATTERN = /^ *[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}_ -]*$/u;

const tagName = (name: string, value: unknown): string | null =>
  text({
    required: true,
    max: MAX_TAG_LENGTH,
    shape: {
      pattern: TAG_NAME_PATTERN,
      must: 'only contain letters, numbers, dashes, underscores and spaces',
    },
  })(name, value) ??
  // In lowercase, some letters become two characters.
  text({ max: MAX_TAG_LENGTH })(name, toTagName(value as string));

/** UTF-16 units of the longest list of `max` slugs; a longer one is refused without splitting it. */
export const longestSlugList = (max: number): number => max * 40;

/** At most `max` slugs, separated by commas. */
export const slugList = (options: Presence, max: number): FieldRule =>
  present(options, (name, value) => {
    if (typeof value !== 'string') return `The ${name} field must be a string.`;
    return value.length > longestSlugList(max) || splitSlugs(value).length > max
      ? `The ${name} field must not have more than ${max} items.`
      : text({ max: longestSlugList(max) })(name, value);
  });

/** Splits a list of slugs. Duplicates are removed; the order stays. */
export const toSlugs = (text: string): readonly string[] => [...new Set(splitSlugs(text))];

const splitSlugs = (text: string): readonly string[] => text.split(',').filter((slug) => slug !== '');

/** Characters of the longest reference. */
export const MAX_REFERENCE = 100;

/** A reference to an item: a slug, a username, or an id as a number or in digits. */
export const reference = (options: Presence): FieldRule =>
  present(options, (name, value) =>
    text({ max: MAX_REFERENCE })(
      name,
      typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value,
    ),
  );
