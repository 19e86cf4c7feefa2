import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AnswerOf, VitrineClient } from '@vitrine/client';
import { LRUCache } from 'lru-cache';

/** Who is logged in. */
export type Viewer = AnswerOf<'getMe'>['data'];

/** How long a page may show an account's older name, picture or role. What may be done is up to the API, every time. */
const MAX_AGE_MS = 15_000;
const MAX_VIEWERS = 10_000;

/** The accounts behind the sessions in use, so that not every page asks for its visitor's name again. */
@Injectable()
export class Viewers {
  private readonly known = new LRUCache<string, Viewer>({ max: MAX_VIEWERS, ttl: MAX_AGE_MS });

  /** Throws `VitrineError` `unauthenticated` where the session has ended. */
  async find(session: string, client: VitrineClient): Promise<Viewer> {
    const key = keyOf(session);
    const known = this.known.get(key);
    if (known) return known;
    const viewer = await client.me.get();
    this.known.set(key, viewer);
    return viewer;
  }

  /** After a change to the account, and at its end. */
  forget(session: string): void {
    this.known.delete(keyOf(session));
  }
}

/** No secret stays in memory for longer than its request. */
const keyOf = (session: string): string => createHash('sha256').update(session).digest('base64');
