import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { type Media, type Post, VitrineError } from '@vitrine/client';
import { attachment, toFileName } from '@vitrine/contracts';
import { ClientAddresses, PublicServerConfig } from '@vitrine/runtime';
import { ZipFile } from 'yazl';
import { WebsiteConfig } from '../config/website.config';
import type { Visit } from '../visits/visit';

/** Archives that a process sends at once, most of them slowly; a client address gets one of them. */
const MAX_ARCHIVES = 16;
const RETRY_SECONDS = 30;
const MAX_MS = 60 * 60 * 1000;
/** Milliseconds within which the visitor must read something. */
const IDLE_MS = 60 * 1000;

/** The files that an archive of a post contains. Rejected files can't be read. */
export const archivedMedia = ({ media }: Post): readonly Media[] =>
  media.filter((item) => item.moderation_status !== 'rejected' && item.processing_error === null);

/** Sends all files of a post as one ZIP archive, while it reads them from the file host one after the other. */
@Injectable()
export class PostArchives {
  private readonly readers = new Set<string>();
  private readonly addresses: ClientAddresses;

  constructor(
    private readonly config: WebsiteConfig,
    { trustedProxies }: PublicServerConfig,
  ) {
    this.addresses = new ClientAddresses(trustedProxies);
  }

  /**
   * Throws `VitrineError` if the visitor's address already reads an archive (`rate_limited`), or if too many archives are
   * being sent or the first file can't be read (`unavailable`). Later errors close the connection.
   */
  async send(post: Post, { request, response }: Visit): Promise<void> {
    const { clientKey } = this.addresses.of(request);
    if (this.readers.has(clientKey)) throw busy('rate_limited');
    if (this.readers.size >= MAX_ARCHIVES) throw busy('unavailable');
    this.readers.add(clientKey);
    const gone = new AbortController();
    response.once('close', () => gone.abort()).setTimeout(IDLE_MS, () => gone.abort());
    try {
      const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(MAX_MS)]);
      const { zip, bytes } = await this.pack(post, signal);
      response.set({
        'Content-Type': 'application/zip',
        'Content-Length': String(bytes),
        'Content-Disposition': attachment(`${post.slug}.zip`, post.title ?? '', 'zip'),
        'Cache-Control': 'private, no-store',
      });
      // The visitor has stopped, or a file could not be read to its end: then the archive is shorter than its length says.
      await pipeline(zip, response, { signal }).catch(() => response.destroy());
    } finally {
      gone.abort();
      this.readers.delete(clientKey);
    }
  }

  /** `bytes`: the size of the whole archive, which stores files uncompressed. */
  private async pack(post: Post, signal: AbortSignal): Promise<{ zip: Readable; bytes: number }> {
    const media = archivedMedia(post);
    const archive = new ZipFile();
    // After the pipeline has ended, late errors of files have no other listener.
    const zip = (archive.outputStream as Readable).on('error', () => undefined);
    archive.on('error', (error: Error) => zip.destroy(error));
    const first = media[0] && (await this.open(media[0], signal));
    media.forEach((item, index) => {
      const title = toFileName(item.title ?? post.title ?? '') || item.slug;
      const name = `${String(index + 1).padStart(2, '0')}-${title}.${item.ext}`;
      const options = { size: item.size, compress: false, mtime: new Date(item.created_at) };
      archive.addReadStreamLazy(name, options, (use) => {
        void Promise.resolve(index === 0 ? first : this.open(item, signal)).then(
          (file) =>
            use(
              null,
              file!.on('error', (error) => archive.emit('error', error)),
            ),
          (error: unknown) => archive.emit('error', error),
        );
      });
    });
    let bytes = 0;
    archive.end(undefined, (total = 0) => (bytes = total));
    return { zip, bytes };
  }

  private async open({ urls }: Media, signal: AbortSignal): Promise<Readable> {
    const { cdn, internalFiles } = this.config;
    const address = (internalFiles || cdn) + urls.original.slice(cdn.length);
    // With this condition, the file host sends the bytes itself, also if nginx sends files for visitors.
    const answer = await fetch(address, { headers: { 'If-Match': '*' }, redirect: 'error', signal }).catch(
      () => null,
    );
    if (answer?.status === 200 && answer.body) return Readable.from(answer.body);
    await answer?.body?.cancel();
    throw busy('unavailable');
  }
}

const busy = (code: 'rate_limited' | 'unavailable'): VitrineError =>
  new VitrineError({ code, message: 'No archive can be sent now.', retryAfter: RETRY_SECONDS });
