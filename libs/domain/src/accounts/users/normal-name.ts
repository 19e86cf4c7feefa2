/**
 * The one form of a username or email address under which guesses at a password are counted. A name that PostgreSQL
 * finds must also have this form: its `lower` depends on the locale and turns other letters into ASCII ones, so one
 * account would have several counts.
 */
export const normalName = (name: string): string => name.toLowerCase();
