import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { BannedHashKind, PerceptualHash } from '@vitrine/contracts';
import { type Transaction, Database } from '@vitrine/database';
import { AuditLog } from '../../base/audit/audit-log.service';
import {
  type BannedHashPage,
  BannedHashRepository,
  type BannedHashView,
  type NewBannedHash,
} from './banned-hash.repository';
import { bannableHashes, lookupsOf, PerceptualHashIndex } from './perceptual-hash.rules';

/** A match between a picture and a banned one. */
export interface PerceptualMatch {
  readonly bannedHashId: number;
  /** Differing bits of 256. */
  readonly distance: number;
}

/** The hashes that a ban of a media item covers: those of its bytes and of its pictures. */
export interface BannableFile {
  /** 32 bytes each. */
  readonly sha256: readonly Buffer[];
  readonly perceptual: readonly PerceptualHash[];
}

/** Banned files and pictures. A ban applies in every process as soon as it is committed. */
@Injectable()
export class BannedHashesService {
  private loaded: { readonly version: number; readonly index: PerceptualHashIndex } | undefined;

  constructor(
    private readonly database: Database,
    private readonly repository: BannedHashRepository,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Whether the file with this SHA-256 (64 hexadecimal digits) is banned. Throws `TypeError` if the hash is
   * malformed.
   */
  isBannedSha256(hex: string): Promise<boolean> {
    return this.repository.existsSha256(readHash(hex));
  }

  /**
   * The banned picture that is nearest to one of a media item's hashes, also mirrored, turned or inverted; null if
   * none matches. Hashes of low quality match nothing. The search lets other work of the process run in between.
   */
  async matchPerceptual(hashes: readonly PerceptualHash[]): Promise<PerceptualMatch | null> {
    const index = await this.currentIndex();
    let best: PerceptualMatch | null = null;
    for (const hash of hashes) {
      // Sixteen searches take 12 ms with a million bans.
      if (hashes.length > 1) await setImmediate();
      for (const lookup of lookupsOf(hash)) {
        const match = index.findNearest(lookup);
        if (match && match.distance < (best?.distance ?? Infinity)) {
          best = { bannedHashId: match.id, distance: match.distance };
        }
      }
    }
    return best;
  }

  /**
   * Bans a file by its SHA-256 (64 hexadecimal digits); returns false if it was banned already. `by` is the
   * moderator's user id, null for the operator. Throws `TypeError` if the hash is malformed.
   */
  async banSha256(hex: string, reason: string, by: number | null): Promise<boolean> {
    return this.insert({ kind: 'sha256', hash: readHash(hex), reason, createdBy: by });
  }

  /**
   * Bans a hash (64 hexadecimal digits) that comes from outside, and returns the ban; an existing ban keeps its
   * reason. Media that are hosted already stay until a moderator rules on them. Throws `TypeError` if the hash is
   * malformed.
   */
  async ban(kind: BannedHashKind, hex: string, reason: string, by: number): Promise<BannedHashView> {
    const hash = readHash(hex);
    for (;;) {
      await this.insert({ kind, hash, reason, createdBy: by });
      const entry = await this.repository.findByHash(kind, hash);
      // Another moderator may have removed the ban in between.
      if (entry) return entry;
    }
  }

  /** The ban with this id; null if there is none. */
  find(id: number): Promise<BannedHashView | null> {
    return this.repository.findById(id);
  }

  /** Bans, newest first; `page` counts from 1. */
  findPage(page: number, limit: number): Promise<BannedHashPage> {
    return this.repository.findPage(page, limit);
  }

  /**
   * Bans the bytes and pictures of media within the caller's transaction; returns the new bans. To be called last, because
   * all bans wait for each other on the only row of `banned_hashes_version`.
   */
  banFiles(
    tx: Transaction,
    files: readonly BannableFile[],
    reason: string,
    by: number | null,
  ): Promise<readonly BannedHashView[]> {
    const bans = files.flatMap(({ sha256, perceptual }) => [
      ...sha256.map((hash) => ({ kind: 'sha256' as const, hash })),
      ...bannableHashes(perceptual).map((hash) => ({ kind: 'pdq' as const, hash })),
    ]);
    return this.insertWithin(
      tx,
      bans.map((ban) => ({ ...ban, reason, createdBy: by })),
    );
  }

  /** Removes a ban; false if there is none with this id. `by` is the moderator's user id. */
  unban(id: number, by: number | null): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const hash = await this.repository.remove(tx, id);
      if (hash === null) return false;
      await this.audit.append(tx, { by: staff(by), action: 'hash.unban', ...subjectOf(id, hash) });
      return true;
    });
  }

  /** Returns false if the hash was banned already. */
  private async insert(ban: NewBannedHash): Promise<boolean> {
    return (await this.database.transaction((tx) => this.insertWithin(tx, [ban]))).length === 1;
  }

  private async insertWithin(
    tx: Transaction,
    bans: readonly NewBannedHash[],
  ): Promise<readonly BannedHashView[]> {
    const inserted = await this.repository.insertMissing(tx, bans);
    const by = bans[0]?.createdBy ?? null;
    for (const { id, hash, kind } of inserted) {
      await this.audit.append(tx, {
        by: staff(by),
        action: 'hash.ban',
        ...subjectOf(id, hash),
        detail: { kind },
      });
    }
    return inserted;
  }

  /** Reads the version each time, which takes 0.3 ms, and loads the hashes only if it has risen. */
  private async currentIndex(): Promise<PerceptualHashIndex> {
    const version = await this.repository.readVersion();
    if (this.loaded?.version !== version) {
      this.loaded = { version, index: new PerceptualHashIndex(await this.repository.findPerceptual()) };
    }
    return this.loaded.index;
  }
}

const staff = (userId: number | null) => (userId === null ? null : { userId });

const subjectOf = (id: number, hash: Buffer) => ({
  subject: { type: 'hash' as const, id, name: hash.toString('hex') },
});

function readHash(hex: string): Buffer {
  if (!/^[0-9a-f]{64}$/i.test(hex)) throw new TypeError('A hash has 64 hexadecimal digits');
  return Buffer.from(hex, 'hex');
}
