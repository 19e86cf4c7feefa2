import { VitrineClient } from '@vitrine/client';
import { FormError } from '../dom/forms';
import type { Desk } from './desk';
import { uploadedMediaOf } from './media-facts';
import type { UploadedMedia } from './queue';
import { type Trouble, troubleOf, VANISHED } from './trouble';

/** How the sending of a file ended. */
export type Outcome =
  | { readonly type: 'uploaded'; readonly media: UploadedMedia }
  | { readonly type: 'loggedOut'; readonly logInPath: string }
  | Exclude<Trouble, { type: 'unticketed' }>;

export interface Sending {
  readonly file: File;
  /** Idempotency key. */
  readonly key: string;
  readonly signal: AbortSignal;
  readonly onProgress: (sent: number, total: number) => void;
}

/** Sends files from the disk to the upload host. */
export class Sender {
  private readonly client: VitrineClient;

  /** `uploadUrl` ends in `/api/v1/media`. */
  constructor(
    uploadUrl: string,
    private readonly desk: Desk,
  ) {
    // The queue knows when to try again, and shows it.
    this.client = new VitrineClient({ baseUrl: uploadUrl.replace(/\/media$/, ''), uploadUrl, retry: false });
  }

  /** Makes one try, or a second one with a new ticket where the first was over. Throws the signal's reason. */
  async send(sending: Sending): Promise<Outcome> {
    const first = await this.try(sending);
    const last = first.type === 'unticketed' ? await this.try(sending) : first;
    return last.type === 'unticketed' ? { type: 'stumbled', afterMs: 0 } : last;
  }

  private async try({ file, key, signal, onProgress }: Sending): Promise<Outcome | Trouble> {
    let ticket: string;
    try {
      ticket = await this.desk.ticket();
    } catch (error) {
      return ofDesk(error);
    }
    try {
      const media = await this.client.withToken(ticket).media.upload(file, {
        signal,
        idempotencyKey: key,
        onProgress: ({ sent, total }) => onProgress(sent, total ?? file.size),
      });
      return { type: 'uploaded', media: uploadedMediaOf(media) };
    } catch (error) {
      signal.throwIfAborted();
      const trouble = troubleOf(error);
      if (trouble.type === 'unticketed') this.desk.forget(ticket);
      const isReadable = trouble.type !== 'stumbled' || (await canRead(file));
      return isReadable ? trouble : { type: 'refused', failure: VANISHED };
    }
  }
}

/** What it means for the files that there is no ticket. */
function ofDesk(error: unknown): Outcome {
  if (!(error instanceof FormError)) throw error;
  if (error.logInPath !== undefined) return { type: 'loggedOut', logInPath: error.logInPath };
  // Somebody else has logged in meanwhile.
  if (error.status === 409) return { type: 'loggedOut', logInPath: '/login' };
  const afterMs = (error.retryAfter ?? 0) * 1000;
  return error.status === 429 ? { type: 'limited', afterMs } : { type: 'stumbled', afterMs };
}

/** A file that was changed or removed since it was chosen fails to be sent like one without a connection. */
async function canRead(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
