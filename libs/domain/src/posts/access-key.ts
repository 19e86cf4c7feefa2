import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 32;

/** 32 characters of base62 off the system's randomness: 190 bits. */
export const randomAccessKey = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** Whether a key opens a post, in a time that doesn't tell how much of it is right. */
export function opensWith(accessKey: string | null, key: string | null): boolean {
  if (accessKey === null || key === null) return false;
  return timingSafeEqual(digest(accessKey), digest(key));
}

/** Texts of any length become comparable. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
