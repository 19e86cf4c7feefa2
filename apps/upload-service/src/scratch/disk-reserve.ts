import { statfs } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InsufficientStorageError } from '@vitrine/domain';
import { ObjectStorage } from '@vitrine/storage';
import { Gauge, Registry } from 'prom-client';
import { UploadConfig } from '../config/upload.config';

/** A received file and its cleaned copy can be on the disk at the same time. */
const COPIES = 2;

/** Bytes that uploads have announced and that may not be on the disk yet. */
export interface DiskClaim {
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
  private claimed = 0;
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
   * Claims room for an upload of at most `bytes`. Claims of this process count as if they were written already. Throws
   * `InsufficientStorageError`.
   */
  async claim(bytes: number): Promise<DiskClaim> {
    const size = bytes * COPIES;
    // Claims before it waits, so that simultaneous uploads see each other.
    this.claimed += size;
    let isHeld = true;
    const release = (): void => {
      if (isHeld) this.claimed -= size;
      isHeld = false;
    };
    try {
      await this.assertAbove(this.config.storageReserveBytes + this.claimed);
    } catch (error) {
      release();
      throw error;
    }
    return { check: () => this.assertAbove(this.config.storageReserveBytes), release };
  }

  private async assertAbove(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(await this.storage.scratchDirectory());
    const free = bavail * bsize;
    this.free.set(free);
    this.log(free < this.config.storageReserveBytes, free);
    if (free < bytes) throw new InsufficientStorageError('storage_full');
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
