import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { BannedHashKind, PerceptualHash } from '@vitrine/contracts';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import {
  type BannedHashPage,
  BannedHashRepository,
  type BannedHashView,
  type NewBannedHash,
} from './banned-hash.repository';
import { bannableHashes, lookupsOf, PerceptualHashIndex } from './perceptual-hash.rules';

/** A picture of a media that is banned. */
export interface PerceptualMatch {
  readonly bannedHashId: number;
  /** Differing bits of 256. */
  readonly distance: number;
}

/** What a ban of a media takes in: its bytes and its pictures. */
export interface BannableFile {
  /** 32 bytes each. */
  readonly sha256: readonly Buffer[];
  readonly perceptual: readonly PerceptualHash[];
}

/** The files and pictures that nobody may publish. A ban holds in every process from its commit on. */
@Injectable()
export class BannedHashesService {
  private loaded: { readonly version: number; readonly index: PerceptualHashIndex } | undefined;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: BannedHashRepository,
  ) {}

  /** Whether a file of this SHA-256 (64 hexadecimal digits) is banned. */
  isBannedSha256(hex: string): Promise<boolean> {
    return this.repository.existsSha256(readHash(hex));
  }

  /**
   * The banned picture that is nearest to one of a media item's hashes, also mirrored, turned or inverted; null if none
   * matches. Hashes of low quality match nothing. The search gives way to other work of the process in between.
   */
  async matchPerceptual(hashes: readonly PerceptualHash[]): Promise<PerceptualMatch | null> {
    const index = await this.currentIndex();
    let best: PerceptualMatch | null = null;
    for (const hash of hashes) {
      // Sixteen look-ups take 12 ms with a million bans.
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
   * Bans a file by its SHA-256 (64 hexadecimal digits); false where it was banned before. `by` is the moderator's
   * user id, null for the operator. Throws `TypeError` where the hash isn't one.
   */
  async banSha256(hex: string, reason: string, by: number | null): Promise<boolean> {
    return this.insert({ kind: 'sha256', hash: readHash(hex), reason, createdBy: by });
  }

  /**
   * Bans a hash (64 hexadecimal digits) that was got elsewhere, and returns its entry: the first one, with its reason,
   * where it was banned before. What is hosted already stays until it is ruled on. Throws `TypeError` where the hash
   * isn't one.
   */
  async ban(kind: BannedHashKind, hex: string, reason: string, by: number): Promise<BannedHashView> {
    const hash = readHash(hex);
    for (;;) {
      await this.insert({ kind, hash, reason, createdBy: by });
      const entry = await this.repository.findByHash(kind, hash);
      // Somebody may have lifted it in between.
      if (entry) return entry;
    }
  }

  /** One ban; null where there is none. */
  find(id: number): Promise<BannedHashView | null> {
    return this.repository.findById(id);
  }

  /** Bans, newest first; `page` counts from 1. */
  findPage(page: number, limit: number): Promise<BannedHashPage> {
    return this.repository.findPage(page, limit);
  }

  /** Bans a media's bytes and its pictures within the caller's transaction; returns the bans that are new. */
  banFile(
    tx: Transaction,
    file: BannableFile,
    reason: string,
    by: number | null,
  ): Promise<readonly BannedHashView[]> {
    const bans = [
      ...file.sha256.map((hash) => ({ kind: 'sha256' as const, hash })),
      ...bannableHashes(file.perceptual).map((hash) => ({ kind: 'pdq' as const, hash })),
    ];
    return this.repository.insertMissing(
      tx,
      bans.map((ban) => ({ ...ban, reason, createdBy: by })),
    );
  }

  /** Lifts a ban; false where there is none with this id. */
  unban(id: number): Promise<boolean> {
    return this.transactions.run((tx) => this.repository.remove(tx, id));
  }

  /** False where it was banned before. */
  private async insert(ban: NewBannedHash): Promise<boolean> {
    return (await this.transactions.run((tx) => this.repository.insertMissing(tx, [ban]))).length === 1;
  }

  /** Asks for the version each time, a third of a millisecond, and loads the hashes only when it has risen. */
  private async currentIndex(): Promise<PerceptualHashIndex> {
    const version = await this.repository.readVersion();
    if (this.loaded?.version !== version) {
      this.loaded = { version, index: new PerceptualHashIndex(await this.repository.findPerceptual()) };
    }
    return this.loaded.index;
  }
}

function readHash(hex: string): Buffer {
  if (!/^[0-9a-f]{64}$/i.test(hex)) throw new TypeError('A hash has 64 hexadecimal digits');
  return Buffer.from(hex, 'hex');
}
