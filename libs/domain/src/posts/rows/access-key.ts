import { createHash, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../../base/identifiers/random-base62';

/** A random access key: 32 characters of base62, that is 190 bits. */
export const randomAccessKey = (): string => randomBase62(32);

/** Whether `key` is the post's access key. The time that this takes doesn't reveal how much of the key is right. */
export function opensWith(accessKey: string | null, key: string | null): boolean {
  if (accessKey === null || key === null) return false;
  return timingSafeEqual(digest(accessKey), digest(key));
}

/** Makes texts of different lengths comparable in constant time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
