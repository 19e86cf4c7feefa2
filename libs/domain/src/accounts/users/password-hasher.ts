import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { Slots } from '@vitrine/concurrency';
import { LoadShedError } from '../../base/errors/domain-error';

/**
 * argon2id (the library's default) with the cost of the OWASP Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane.
 */
const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashes that are computed at the same time: half of Node's four I/O threads, so that file access and DNS lookups
 * continue during a flood.
 */
const CONCURRENCY = 2;
/** Hashes that may wait; they take about a second together. */
const MAX_WAITING = 64;

/** Hashes and verifies passwords, a bounded number at a time. */
@Injectable()
export class PasswordHasher implements OnModuleInit {
  private readonly slots = new Slots(CONCURRENCY);
  private decoy = '';

  async onModuleInit(): Promise<void> {
    this.decoy = await this.hash(randomBytes(16).toString('hex'));
  }

  /** Throws `LoadShedError` if too many are already waiting; so does `verify`. */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password, ARGON2_COST));
  }

  /** Whether the password matches the hash. Without a hash it does the same work and returns false. */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const matches = await this.inTurn(() => verify(passwordHash ?? this.decoy, password));
    return matches && passwordHash !== null;
  }

  private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.slots.queued >= MAX_WAITING) throw new LoadShedError(1);
    return this.slots.run(work);
  }
}
