import { isIP } from 'node:net';

/** Parsers for `@Setting`: each throws an `Error` whose message completes "must be …". */

/** Any text. */
export const text = (raw: string): string => raw;

/** A secret too long to be guessed: at least 32 characters. */
export const secret = (raw: string): string => {
  if (raw.length < 32) throw new Error('at least 32 characters');
  return raw;
};

/** A whole number between `min` and `max`, both included. */
export const integer =
  (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  (raw: string): number => {
    const value = /^-?\d+$/.test(raw) ? Number(raw) : NaN;
    if (!Number.isSafeInteger(value) || value < min || value > max) {
      throw new Error(
        max === Number.MAX_SAFE_INTEGER
          ? `a whole number from ${min}`
          : `a whole number from ${min} to ${max}`,
      );
    }
    return value;
  };

/** A TCP port. */
export const port = integer(1, 65_535);

/** `true` or `false`. */
export const flag = (raw: string): boolean => {
  if (raw !== 'true' && raw !== 'false') throw new Error('true or false');
  return raw === 'true';
};

/** One of the given words. */
export const oneOf =
  <const Words extends readonly string[]>(...words: Words) =>
  (raw: string): Words[number] => {
    const word = words.find((candidate) => candidate === raw);
    if (word === undefined) throw new Error(`one of ${words.join(', ')}`);
    return word;
  };

/** An absolute URL of one of the given schemes, without a slash at its end. */
export const url =
  (...schemes: string[]) =>
  (raw: string): string => {
    const scheme = /^([a-z][a-z0-9+.-]*):\/\/./i.exec(raw)?.[1]?.toLowerCase();
    if (!scheme || !schemes.includes(scheme))
      throw new Error(`a URL that begins with ${schemes.map((s) => `${s}://`).join(' or ')}`);
    return raw.replace(/\/+$/, '');
  };

/** Words separated by commas; empty ones are left out. */
export const list = (raw: string): readonly string[] =>
  raw
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** Addresses and networks in CIDR notation, separated by commas. */
export const networks = (raw: string): readonly string[] => {
  const words = list(raw);
  for (const word of words) {
    const [address = '', bits, ...rest] = word.split('/');
    const width = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    const wrong = bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > width);
    if (width < 0 || wrong || rest.length > 0) throw new Error('addresses or networks in CIDR notation');
  }
  return words;
};
