/** The digits of base62, the alphabet of slugs, access keys and tokens. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Number of characters in a slug. */
export const SLUG_LENGTH = 7;

/** How the API's document describes a slug. */
export const SLUG_PATTERN = `^[A-Za-z0-9]{${SLUG_LENGTH}}$`;

/** The largest id that a path may name. */
export const MAX_ID = 999_999_999_999_999;

/** How the API's document describes a slug or an id in a path. */
export const SLUG_OR_ID_PATTERN = `^(?:[A-Za-z0-9]{${SLUG_LENGTH}}|[1-9][0-9]{0,14})$`;

/** How the API's document describes an access key. */
export const ACCESS_KEY_PATTERN = '^[A-Za-z0-9]{32}$';

const SLUG = new RegExp(`^(?=.*[A-Za-z])[A-Za-z0-9]{${SLUG_LENGTH}}$`);
const NUMERIC_ID = /^[1-9]\d{0,14}$/;

/** Whether a text has the form of a slug. A numeric id never has it, because a slug contains at least one letter. */
export const isSlug = (text: string): boolean => SLUG.test(text);

/** The numeric id that a text spells in decimal digits; null if it is none. An id is a safe integer above 0. */
export const readNumericId = (text: string): number | null => (NUMERIC_ID.test(text) ? Number(text) : null);

/** The first characters of a token, by its kind. */
export const TOKEN_PREFIXES = { api: 'vtr_', session: 'vts_', ticket: 'vtu_', guest: 'vtg_' } as const;

/** The prefix, the 34 random characters and the six characters of the checksum of a token. */
export const TOKEN_PATTERN = /^(vt[rsug]_)([0-9A-Za-z]{34})([0-9A-Za-z]{6})$/;

/** Whether a text has the form of a token of this kind. Its checksum may be wrong. */
export const isTokenOf = (kind: keyof typeof TOKEN_PREFIXES, text: string): boolean =>
  TOKEN_PATTERN.exec(text)?.[1] === TOKEN_PREFIXES[kind];
