import { randomInt } from 'node:crypto';
import { BASE62 } from '@vitrine/contracts';

/** `length` characters of base62 from the system's random source, each character equally likely. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('');

const DIGITS = new RegExp(`^[${BASE62}]*$`);

/** Whether a text consists of `length` characters of base62. */
export const isBase62 = (text: string, length: number): boolean =>
  text.length === length && DIGITS.test(text);
