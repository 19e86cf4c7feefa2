import { statfs } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { type ShareLimits, Shares } from '@vitrine/concurrency';
import { InsufficientStorageError, TooManyRequestsError } from '@vitrine/domain';
import { ObjectStorage } from '@vitrine/storage';
import { Gauge, Registry } from 'prom-client';
import { UploadConfig } from '../config/upload.config';

/** A received file and its cleaned copy can be on the disk at the same time. */
const COPIES = 2;
/** Seconds after which an upload of the same caller has probably ended. */
const RETRY_AFTER = 5;

/** A claimant may have as many bytes as it leaves; `limit` is what the disk has at the moment. */
const SHARES: ShareLimits = { limit: 0, each: Infinity, leavesRoom: true };
const WITHOUT_TOKEN = 'without a token';

/** Who claims room. Neither an address nor an account may claim more than it leaves to others. */
export interface Claimant {
  /** The key of limits per client. */
  readonly address: string;
  /** The subject of the quota; `null` while the token is not known. All uploads without one have the share of one account. */
  readonly account: string | null;
}

/** Room on the disk for one upload. */
export interface DiskClaim {
  /** Claims room for `bytes` in all, for another claimant, instead of the present room. Throws as `DiskReserve.claim` does. */
  replace(claimant: Claimant, bytes: number): Promise<void>;
  /** Counts bytes that have arrived: the disk's own numbers show them from now on. */
  arrived(bytes: number): void;
  /** Throws `InsufficientStorageError` if other writers have used up the reserve in the meantime. */
  check(): Promise<void>;
  release(): void;
}

/**
 * Refuses uploads before the disk is full. Scratch files are on the disk of the objects if these are stored in a folder,
 * so one look at the scratch folder is enough.
 */
@Injectable()
export class DiskReserve {
  private readonly logger = new Logger(DiskReserve.name);
  private readonly byAddress = new Shares(SHARES);
  private readonly byAccount = new Shares(SHARES);
  private isShort = false;
  private readonly free: Gauge;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly config: UploadConfig,
    registry: Registry,
  ) {
    const registers = [registry];
    this.free = new Gauge({
      name: 'vitrine_upload_disk_free_bytes',
      help: 'Free bytes on the disk of the scratch files at the last upload.',
      registers,
    });
    const reserve = new Gauge({
      name: 'vitrine_upload_disk_reserve_bytes',
      help: 'STORAGE_RESERVE_BYTES: with less free bytes, uploads are refused.',
      registers,
    });
    reserve.set(config.storageReserveBytes);
  }

  /**
   * Claims room for an upload of at most `bytes`. What claims of this process lack counts as if it were written already. Throws
   * `InsufficientStorageError`, and `TooManyRequestsError` if the disk has room but the claimant would have more than it leaves.
   */
  async claim(claimant: Claimant, bytes: number): Promise<DiskClaim> {
    let size = bytes;
    let arrived = 0;
    let giveBack = await this.take(claimant, size * COPIES);
    return {
      replace: async (other, whole) => {
        giveBack(Infinity);
        size = whole;
        giveBack = await this.take(other, size * COPIES - Math.min(arrived, size));
      },
      arrived: (count) => {
        const missing = Math.max(0, size - arrived);
        arrived += count;
        giveBack(Math.min(count, missing));
      },
      check: async () => {
        if ((await this.room()) < 0) throw new InsufficientStorageError('storage_full');
      },
      release: () => giveBack(Infinity),
    };
  }

  /** Returns a function that gives so many of the bytes back. */
  private async take({ address, account }: Claimant, bytes: number): Promise<(some: number) => void> {
    const room = await this.room();
    // From here to the end nothing waits, so simultaneous uploads see each other.
    const limits = { ...SHARES, limit: room };
    const refusals = [
      this.byAddress.refusalOf(address, limits, bytes),
      this.byAccount.refusalOf(account ?? WITHOUT_TOKEN, limits, bytes),
    ];
    if (refusals.includes('full')) throw new InsufficientStorageError('storage_full');
    if (refusals.includes('share')) throw new TooManyRequestsError(RETRY_AFTER);
    const taken = [
      this.byAddress.takeSome(address, bytes),
      this.byAccount.takeSome(account ?? WITHOUT_TOKEN, bytes),
    ];
    return (some) => taken.forEach(({ giveBack }) => giveBack(some));
  }

  /** Free bytes above the reserve. */
  private async room(): Promise<number> {
    const { bavail, bsize } = await statfs(await this.storage.scratchDirectory());
    const free = bavail * bsize;
    this.free.set(free);
    this.log(free < this.config.storageReserveBytes, free);
    return free - this.config.storageReserveBytes;
  }

  /** Logs when the reserve is reached and when it is free again, not each refused upload. */
  private log(isShort: boolean, free: number): void {
    if (isShort === this.isShort) return;
    this.isShort = isShort;
    if (isShort)
      this.logger.warn(`Uploads are refused: the disk has only ${free} free bytes (STORAGE_RESERVE_BYTES)`);
    else this.logger.log(`Uploads are accepted again: the disk has ${free} free bytes`);
  }
}
