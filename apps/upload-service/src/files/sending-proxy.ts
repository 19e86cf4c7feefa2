import { Inject, Injectable } from '@nestjs/common';
import { ConfigurationError } from '@vitrine/runtime';
import { ObjectStorage } from '@vitrine/storage';
import type { Request } from 'express';
import { UploadConfig } from '../config/upload.config';

/** The header by which nginx sends the file at an internal address instead of the answer's body. */
export const INTERNAL_ADDRESS_HEADER = 'X-Accel-Redirect';

/** Set in nginx's question for a decision: it gets 403 unless the answer needs no query. */
export const KNOWN_ONLY_HEADER = 'x-vitrine-known-only';

/** Internal locations of docker/nginx/files.conf: one ignores the header `Range`, the other follows it. */
const LOCATIONS = { whole: '/vitrine-files/whole/', part: '/vitrine-files/part/' } as const;

/** The proxy in front of this process that sends files for it (`FILE_SENDING`). */
@Injectable()
export class SendingProxy {
  readonly isOn: boolean;

  constructor(
    @Inject(ObjectStorage) private readonly storage: ObjectStorage,
    @Inject(UploadConfig) { fileSending }: UploadConfig,
  ) {
    this.isOn = fileSending === 'x-accel';
  }

  /** Throws `ConfigurationError` if the proxy can't send the files of this storage. */
  assertPossible(): void {
    if (this.isOn && this.storage.pathInFolder('f/a') === null) {
      throw new ConfigurationError(['FILE_SENDING must be direct if STORAGE_URL names a bucket']);
    }
  }

  /**
   * The internal address of an object, or of the part of it that the request names; null if this process must send it:
   * nginx would compare these conditions with a file that has no etag of its own.
   */
  addressFor(key: string, { headers }: Request, isPart: boolean): string | null {
    const isConditional = headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined;
    const path = this.isOn && !isConditional ? this.storage.pathInFolder(key) : null;
    return path === null ? null : LOCATIONS[isPart ? 'part' : 'whole'] + path;
  }
}
