import { Uploader, VitrineError } from '@vitrine/client';
import { FormError, showErrors } from '../dom/forms';
import type { SiteRequests } from './site-requests';
import { uploadedMediaOf } from './media-facts';
import type { UploadedMedia } from './queue';
import { type StorageClaim, StorageLeft } from './storage-left';
import { NO_SPACE, type UploadProblem, uploadProblemOf, UNREADABLE_FILE } from './upload-problem';

/** The result of sending a file. */
export type UploadOutcome =
  | { readonly type: 'uploaded'; readonly media: UploadedMedia }
  | { readonly type: 'loggedOut'; readonly logInPath: string }
  | Exclude<UploadProblem, { type: 'ticketExpired' }>;

export interface Sending {
  readonly file: File;
  /** Idempotency key. */
  readonly key: string;
  readonly signal: AbortSignal;
  readonly onProgress: (sent: number, total: number) => void;
}

/** Sends files to the upload host. */
export class Sender {
  /** `uploadUrl` ends in `/api/v1/media`. */
  constructor(
    private readonly uploadUrl: string,
    private readonly requests: SiteRequests,
    private readonly storageLeft: StorageLeft,
  ) {}

  /** Sends a file; if the ticket has expired, once again with a new ticket. Throws the signal's reason. */
  async send(sending: Sending): Promise<UploadOutcome> {
    const first = await this.try(sending);
    const last = first.type === 'ticketExpired' ? await this.try(sending) : first;
    return last.type === 'ticketExpired' ? { type: 'retryable', afterMs: 0 } : last;
  }

  private async try({ file, key, signal, onProgress }: Sending): Promise<UploadOutcome | UploadProblem> {
    let ticket: string;
    try {
      ticket = await this.requests.ticket();
    } catch (error) {
      return outcomeOfTicketError(error);
    }
    const claim = this.storageLeft.claim(file.size);
    if (!claim) return { type: 'refused', failure: NO_SPACE };
    return this.upload(ticket, { file, key, signal, onProgress }, claim);
  }

  private async upload(
    ticket: string,
    { file, key, signal, onProgress }: Sending,
    claim: StorageClaim,
  ): Promise<UploadOutcome | UploadProblem> {
    try {
      const media = await uploaderWith(this.uploadUrl, ticket).upload(file, {
        signal,
        idempotencyKey: key,
        onProgress: ({ sent, total }) => onProgress(sent, total ?? file.size),
      });
      claim.keep(media.slug, media.size);
      return { type: 'uploaded', media: uploadedMediaOf(media) };
    } catch (error) {
      claim.giveBack();
      signal.throwIfAborted();
      const problem = uploadProblemOf(error);
      if (problem.type === 'ticketExpired') this.requests.forgetTicket(ticket);
      const isReadable = problem.type !== 'retryable' || (await canRead(file));
      return isReadable ? problem : { type: 'refused', failure: UNREADABLE_FILE };
    }
  }
}

/** A client of the upload host. It retries nothing: the queue does, because it also shows it. */
export const uploaderWith = (uploadUrl: string, token: string): Uploader =>
  new Uploader({ baseUrl: uploadUrl.replace(/\/media$/, ''), uploadUrl, token, retry: false });

/** Shows in a form why an upload without the queue has failed. Throws errors that are bugs. */
export function showUploadError(form: HTMLFormElement, error: unknown): void {
  if (error instanceof FormError) return showErrors(form, error);
  if (!(error instanceof VitrineError)) throw error;
  const [message = error.message] = Object.values(error.errors).flat();
  showErrors(form, new FormError(message, 0));
}

/** The result for a file if getting a ticket failed. */
function outcomeOfTicketError(error: unknown): UploadOutcome {
  if (!(error instanceof FormError)) throw error;
  if (error.logInPath !== undefined) return { type: 'loggedOut', logInPath: error.logInPath };
  // Someone else has logged in in the meantime.
  if (error.status === 409) return { type: 'loggedOut', logInPath: '/login' };
  const afterMs = (error.retryAfter ?? 0) * 1000;
  return error.status === 429 ? { type: 'limited', afterMs } : { type: 'retryable', afterMs };
}

/**
 * Sending a file that was changed or removed since it was chosen fails like a broken connection; this distinguishes the two.
 */
async function canRead(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
