import type { Media } from '../api/types';
import { Transport, type TransportOptions } from '../transport/transport';
import { upload, uploadFromUrl, type UploadOptions, type UploadSource } from './upload';

/** Uploads files and does nothing else. A page that only uploads stays smaller than with a `VitrineClient`. */
export class Uploader {
  private readonly transport: Transport;

  constructor(options: TransportOptions) {
    this.transport = new Transport(options);
  }

  /** Uploads a file as `VitrineClient.media.upload` does. */
  async upload(source: UploadSource, options: UploadOptions = {}): Promise<Media> {
    return (await upload(this.transport, source, options)).media;
  }

  /** Uploads a file from an address as `VitrineClient.media.uploadFromUrl` does. */
  async uploadFromUrl(url: string, options: UploadOptions = {}): Promise<Media> {
    return (await uploadFromUrl(this.transport, url, options)).media;
  }
}
