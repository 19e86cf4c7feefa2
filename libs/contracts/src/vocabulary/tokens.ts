/** The first characters of a token, by its kind. */
export const TOKEN_PREFIXES = { api: 'vtr_', session: 'vts_', ticket: 'vtu_', guest: 'vtg_' } as const;

/** The prefix, the 34 random characters and the six characters of the checksum of a token. */
export const TOKEN_PATTERN = /^(vt[rsug]_)([0-9A-Za-z]{34})([0-9A-Za-z]{6})$/;

/** Whether a text has the form of a token of this kind. Its checksum may be wrong. */
export const isTokenOf = (kind: keyof typeof TOKEN_PREFIXES, text: string): boolean =>
  TOKEN_PATTERN.exec(text)?.[1] === TOKEN_PREFIXES[kind];
