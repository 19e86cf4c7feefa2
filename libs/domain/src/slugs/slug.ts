import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 7;

/** What a slug looks like: a numeric id never does, since a slug holds at least one letter. */
export const isSlug = (text: string): boolean => /^(?=.*[A-Za-z])[A-Za-z0-9]{7}$/.test(text);

/** Seven characters of `A-Za-z0-9` off the system's randomness, at least one of them a letter. */
export function randomSlug(): string {
  for (;;) {
    const slug = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    if (isSlug(slug)) return slug;
  }
}
