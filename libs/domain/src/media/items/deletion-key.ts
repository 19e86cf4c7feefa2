import { hash, timingSafeEqual } from 'node:crypto';
import { SLUG_LENGTH } from '@vitrine/contracts';
import { randomBase62 } from '../../base/identifiers/random-base62';

/** 22 random characters of 62 hold 130 bits. */
const KEY_LENGTH = 22;

/**
 * A new key with which anyone may delete one media item. Only its hash is stored. An HMAC of the slug would need a secret
 * that all processes share.
 */
export const mintDeletionKey = (): string => randomBase62(KEY_LENGTH);

/** The hash of a deletion key that is stored. 130 random bits need no slow hash. */
export const deletionKeyHash = (key: string): Buffer => hash('sha256', key, 'buffer');

/** The slug and the key of a text that holds one after the other; null if it has another length. */
export const readDeletionCode = (code: string): { readonly slug: string; readonly key: string } | null =>
  code.length === SLUG_LENGTH + KEY_LENGTH
    ? { slug: code.slice(0, SLUG_LENGTH), key: code.slice(SLUG_LENGTH) }
    : null;

/** Whether `key` is the one whose hash is stored; never if none is. */
export const opensDeletion = (stored: Buffer | null, key: string): boolean =>
  stored !== null && timingSafeEqual(stored, deletionKeyHash(key));
