import { HttpException, Injectable } from '@nestjs/common';
import {
  BannedHashError,
  DomainError,
  InsufficientStorageError,
  LoadShedError,
  TooManyRequestsError,
  UnavailableError,
} from '@vitrine/domain';
import { Counter, Registry } from 'prom-client';
import { ClientGoneError } from '../receiving/upload-errors';

/**
 * How an upload ended. `limited`: this caller, or all together, had too many uploads. `full`: it did not fit into a quota
 * or on the disk. `failed`: an error of the service. `aborted`: the client closed the connection.
 */
type UploadOutcome = 'accepted' | 'refused' | 'banned' | 'limited' | 'full' | 'failed' | 'aborted';

/** Counts uploads and their outcomes. */
@Injectable()
export class UploadMetrics {
  private readonly uploads: Counter<'outcome'>;
  private readonly bytes: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.uploads = new Counter({
      name: 'vitrine_uploads_total',
      help: 'Uploads by outcome: accepted, refused, banned, limited, full, failed, aborted.',
      labelNames: ['outcome'],
      registers,
    });
    this.bytes = new Counter({
      name: 'vitrine_upload_bytes_total',
      help: 'Bytes of the accepted files, as received.',
      registers,
    });
  }

  /** Counts an upload that failed with this error. */
  countFailure(error: unknown): void {
    this.uploads.inc({ outcome: outcomeOf(error) });
  }

  /** Counts a successful upload of this number of bytes. A stored response that is returned again is not counted. */
  countAccepted(bytes: number): void {
    this.uploads.inc({ outcome: 'accepted' });
    this.bytes.inc(bytes);
  }
}

function outcomeOf(error: unknown): UploadOutcome {
  if (error instanceof ClientGoneError) return 'aborted';
  if (error instanceof BannedHashError) return 'banned';
  if (error instanceof TooManyRequestsError || error instanceof LoadShedError) return 'limited';
  if (error instanceof InsufficientStorageError) return 'full';
  if (error instanceof UnavailableError) return 'failed';
  const isRefusal =
    error instanceof DomainError || (error instanceof HttpException && error.getStatus() < 500);
  return isRefusal ? 'refused' : 'failed';
}
