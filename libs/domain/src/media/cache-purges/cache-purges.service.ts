import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { secondsAfterFailure, secondsToNextPurge } from './cache-purge.rules';
import { CachePurgeRepository } from './cache-purge.repository';
import type { ClaimedPurge, PurgeBacklog, PurgeCause, PurgedMedia } from './cache-purge.types';

/** Longer than any shared cache may keep a file (`FILE_SHARED_MAX_AGE_SECONDS` is at most a year). */
const KEPT_DAYS = 400;

/** Characters of an error that are kept. */
const ERROR_LENGTH = 500;

/** The queue of purges: which caches must still forget which media. */
@Injectable()
export class CachePurges {
  constructor(
    private readonly database: Database,
    private readonly repository: CachePurgeRepository,
  ) {}

  /** Makes each of these caches forget each of these media, now and again later (`PURGE_AGAIN_AFTER`). */
  async request(caches: readonly string[], media: readonly PurgedMedia[], cause: PurgeCause): Promise<void> {
    if (caches.length === 0 || media.length === 0) return;
    await this.database.transaction((tx) => this.repository.request(tx, caches, media, cause));
  }

  /** Takes up to `limit` due purges of a cache. If they are not recorded within `leaseSeconds`, they are due again. */
  claim(cache: string, limit: number, leaseSeconds: number): Promise<readonly ClaimedPurge[]> {
    return this.database.transaction((tx) => this.repository.claim(tx, cache, limit, leaseSeconds));
  }

  /** Records that the cache has forgotten these media. */
  async recordSuccess(cache: string, claimed: readonly ClaimedPurge[]): Promise<void> {
    const results = claimed.map((purge) => ({ ...keyOf(purge), wait: secondsToNextPurge(purge.age) }));
    await this.database.transaction((tx) => this.repository.recordSuccess(tx, cache, results));
  }

  /** Records that the cache could not be told; returns how many purges were given up. */
  async recordFailure(
    cache: string,
    claimed: readonly ClaimedPurge[],
    error: string,
    retryAfterSeconds?: number,
  ): Promise<number> {
    const results = claimed.map((purge) => ({
      ...keyOf(purge),
      wait: secondsAfterFailure(purge.attempt, retryAfterSeconds),
    }));
    await this.database.transaction((tx) =>
      this.repository.recordFailure(tx, cache, results, error.slice(0, ERROR_LENGTH)),
    );
    return results.filter(({ wait }) => wait === null).length;
  }

  /** Seconds until the next purge of a cache is due; null if none follows. */
  findSecondsToNext(cache: string): Promise<number | null> {
    return this.repository.findSecondsToNext(cache);
  }

  findBacklogs(): Promise<readonly PurgeBacklog[]> {
    return this.repository.findBacklogs();
  }

  /** Makes all purges that were given up due again; returns how many. */
  retryDead(): Promise<number> {
    return this.database.transaction((tx) => this.repository.retryDead(tx));
  }

  /** Removes purges, also given up ones, whose files every cache has forgotten because of their age; returns how many. */
  removeOld(): Promise<number> {
    return this.database.transaction((tx) => this.repository.removeOld(tx, KEPT_DAYS));
  }
}

const keyOf = ({ slug, requests, attempt }: ClaimedPurge) => ({ slug, requests, attempt });
