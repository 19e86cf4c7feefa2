import { HttpException, Injectable } from '@nestjs/common';
import { BannedHashError, DomainError, TooManyRequestsError, UnavailableError } from '@vitrine/domain';
import { Counter, Registry } from 'prom-client';
import { NoPlaceError } from './admission-desk';
import { ClientGoneError } from './upload-errors';

/**
 * How an upload ended. `limited`: there were too many, of this caller or of all. `failed`: our fault. `aborted`: the
 * client hung up.
 */
type Outcome = 'accepted' | 'refused' | 'banned' | 'limited' | 'failed' | 'aborted';

/** How many files come, and what becomes of them. */
@Injectable()
export class UploadMetrics {
  private readonly uploads: Counter<'outcome'>;
  private readonly bytes: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.uploads = new Counter({
      name: 'vitrine_uploads_total',
      help: 'Uploads by outcome: accepted, refused, banned, limited, failed, aborted.',
      labelNames: ['outcome'],
      registers,
    });
    this.bytes = new Counter({
      name: 'vitrine_upload_bytes_total',
      help: 'Bytes of the files that were taken in, as they came.',
      registers,
    });
  }

  /** Counts an upload that fails, by how. An answer that is given again is neither a failure nor an upload. */
  async watch<Result>(upload: () => Promise<Result>): Promise<Result> {
    try {
      return await upload();
    } catch (error) {
      this.uploads.inc({ outcome: outcomeOf(error) });
      throw error;
    }
  }

  /** Counts an upload that has succeeded. */
  takenIn(bytes: number): void {
    this.uploads.inc({ outcome: 'accepted' });
    this.bytes.inc(bytes);
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ClientGoneError) return 'aborted';
  if (error instanceof BannedHashError) return 'banned';
  if (error instanceof TooManyRequestsError || error instanceof NoPlaceError) return 'limited';
  if (error instanceof UnavailableError) return 'failed';
  const isRefusal =
    error instanceof DomainError || (error instanceof HttpException && error.getStatus() < 500);
  return isRefusal ? 'refused' : 'failed';
}
