import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { QuotasService } from '@vitrine/domain';
import { UploadConfig } from '../config/upload.config';
import { type Claimant, type DiskClaim, DiskReserve } from '../scratch/disk-reserve';
import type { Uploader } from './intake.service';

/** Texts and headers of parts that a body holds besides its files have fewer bytes than this, unless they are unusual. */
const TEXTS_BYTES = 32 * 1024;
/** Base64 is a third longer than the file, and in urlencoded forms some of its characters are escaped. */
const BASE64_FACTOR = 1.5;

/** Refuses uploads that don't fit: into the quota of their owner, the quota of all, or the disk. */
@Injectable()
export class UploadRoom {
  constructor(
    private readonly quotas: QuotasService,
    private readonly disk: DiskReserve,
    private readonly config: UploadConfig,
  ) {}

  /**
   * Refuses a request that can't fit, by its `Content-Length` if it has one. `mayBeBase64`: its files may be written as
   * text. Throws `InsufficientStorageError`.
   */
  async assertQuota({ caller }: Uploader, request: IncomingMessage, mayBeBase64 = false): Promise<void> {
    const body = announced(request) ?? 0;
    const isForm = !/^(?:image|video)\//i.test(request.headers['content-type'] ?? '');
    const files = (isForm ? body - TEXTS_BYTES : body) / (isForm && mayBeBase64 ? BASE64_FACTOR : 1);
    await this.assertFiles(caller, [Math.max(0, Math.floor(files))]);
  }

  /** Refuses files of these sizes if they don't fit now. Throws `InsufficientStorageError`. */
  async assertFiles(caller: Uploader['caller'], sizes: readonly number[]): Promise<void> {
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    await this.quotas.assertRoom(caller?.userId ?? null, { files: sizes.length, bytes });
  }

  /**
   * Runs `work` while the disk has room for the request's body, or for the first `most` bytes of it. Throws as
   * `DiskReserve.claim` does.
   */
  async claimDisk<Result>(
    request: IncomingMessage,
    claimant: Claimant,
    most: number | undefined,
    work: (claim: DiskClaim) => Promise<Result>,
  ): Promise<Result> {
    const claim = await this.disk.claim(claimant, this.bytesOf(request, most));
    try {
      return await work(claim);
    } finally {
      claim.release();
    }
  }

  /** Claims room for the whole body, now that its sender is known. Throws as `DiskReserve.claim` does. */
  async claimWhole(claim: DiskClaim, request: IncomingMessage, claimant: Claimant): Promise<void> {
    await claim.replace(claimant, this.bytesOf(request));
  }

  private bytesOf(request: IncomingMessage, most = this.config.maxFileBytes): number {
    return Math.min(announced(request) ?? most, most, this.config.maxFileBytes);
  }
}

/** The request's `Content-Length`; null without one. */
function announced({ headers }: IncomingMessage): number | null {
  const length = Number(headers['content-length'] ?? NaN);
  return Number.isSafeInteger(length) ? length : null;
}
