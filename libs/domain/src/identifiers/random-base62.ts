import { randomInt } from 'node:crypto';
import { BASE62 } from '@vitrine/contracts';

/** `length` characters of base62 from the system's random source, each character equally likely. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
