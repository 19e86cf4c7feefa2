import { Injectable } from '@nestjs/common';
import type { PerceptualHash } from '@vitrine/contracts';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { BannedHashRepository, type NewBannedHash } from './banned-hash.repository';
import { matchableHashes, PerceptualHashIndex } from './perceptual-hash.rules';

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
    return this.repository.existsSha256(readSha256(hex));
  }

  /** The nearest banned picture among a media's hashes, or null. Hashes of low quality match nothing. */
  async matchPerceptual(hashes: readonly PerceptualHash[]): Promise<PerceptualMatch | null> {
    const wanted = matchableHashes(hashes);
    if (wanted.length === 0) return null;
    const index = await this.currentIndex();
    return wanted
      .map((hash) => index.findNearest(hash))
      .filter((match) => match !== null)
      .map(({ id, distance }) => ({ bannedHashId: id, distance }))
      .reduce<PerceptualMatch | null>(
        (best, match) => (best && best.distance <= match.distance ? best : match),
        null,
      );
  }

  /**
   * Bans a file by its SHA-256 (64 hexadecimal digits); false where it was banned before. `by` is the moderator's
   * user id, null for the operator. Throws `TypeError` where the hash isn't one.
   */
  async banSha256(hex: string, reason: string, by: number | null): Promise<boolean> {
    const ban: NewBannedHash = { kind: 'sha256', hash: readSha256(hex), reason, createdBy: by };
    return (await this.transactions.run((tx) => this.repository.insertMissing(tx, [ban]))) === 1;
  }

  /** Bans a media's bytes and its pictures within the caller's transaction; returns how many hashes were new. */
  banFile(tx: Transaction, file: BannableFile, reason: string, by: number | null): Promise<number> {
    const bans = [
      ...file.sha256.map((hash) => ({ kind: 'sha256' as const, hash })),
      ...matchableHashes(file.perceptual).map((hash) => ({ kind: 'pdq' as const, hash })),
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

  /** Asks for the version each time, a third of a millisecond, and loads the hashes only when it has risen. */
  private async currentIndex(): Promise<PerceptualHashIndex> {
    const version = await this.repository.readVersion();
    if (this.loaded?.version !== version) {
      this.loaded = { version, index: new PerceptualHashIndex(await this.repository.findPerceptual()) };
    }
    return this.loaded.index;
  }
}

function readSha256(hex: string): Buffer {
  if (!/^[0-9a-f]{64}$/i.test(hex)) throw new TypeError('A SHA-256 has 64 hexadecimal digits');
  return Buffer.from(hex, 'hex');
}
