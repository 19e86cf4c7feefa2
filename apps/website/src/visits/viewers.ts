import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AnswerOf, VitrineClient } from '@vitrine/client';
import { LRUCache } from 'lru-cache';

/** Who is logged in. */
export type Viewer = AnswerOf<'getMe'>['data'] & {
  /** The number of unread notifications. */
  readonly unread: number;
  /** Whether this site requires a second factor of the account, which has none. */
  readonly factorMissing: boolean;
};

/**
 * Milliseconds for which pages may show an outdated name, picture, role or number of notifications. The API checks
 * permissions on each request.
 */
const MAX_AGE_MS = 15_000;
const MAX_VIEWERS = 10_000;

/** Caches the accounts of active sessions, so that not every page requests the visitor's account. */
@Injectable()
export class Viewers {
  private readonly known = new LRUCache<string, Viewer>({ max: MAX_VIEWERS, ttl: MAX_AGE_MS });

  /** Throws `VitrineError` `unauthenticated` if the session has ended. */
  async find(session: string, client: VitrineClient): Promise<Viewer> {
    const key = keyOf(session);
    const known = this.known.get(key);
    if (known) return known;
    const overview = await client.me.overview();
    const { data, unread_notifications: unread, second_factor_missing: factorMissing } = overview;
    const viewer = { ...data, unread, factorMissing };
    this.known.set(key, viewer);
    return viewer;
  }

  /** Call this after a change or the deletion of the account. */
  forget(session: string): void {
    this.known.delete(keyOf(session));
  }
}

/** Sessions are cached under their hash, so no secret stays in memory after its request. */
const keyOf = (session: string): string => createHash('sha256').update(session).digest('base64');
