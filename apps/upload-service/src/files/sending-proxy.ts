import { Inject, Injectable } from '@nestjs/common';
import { ObjectStorage } from '@vitrine/storage';
import type { Request, Response } from 'express';
import { UploadConfig } from '../config/upload.config';

/** The header by which nginx sends the file at an internal address instead of the answer's body. */
const INTERNAL_ADDRESS_HEADER = 'X-Accel-Redirect';

/** Set in nginx's question for a decision: it gets 403 unless the answer needs no query. */
export const KNOWN_ONLY_HEADER = 'x-vitrine-known-only';

/** Internal locations of docker/nginx/files.conf: one ignores the header `Range`, the other follows it. */
const LOCATIONS = { whole: '/vitrine-files/whole/', part: '/vitrine-files/part/' } as const;

/** nginx keeps these headers of an answer even if it then sends an error page, so it gets them under other names. */
const RENAMED = ['Content-Type', 'Content-Disposition', 'Cache-Control'] as const;

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

  /**
   * The internal address of an object, or of the part of it that the request names; null if this process must send it:
   * nginx would compare these conditions with a file that doesn’t have the etag of the answer.
   */
  async addressFor(key: string, { headers }: Request, isPart: boolean): Promise<string | null> {
    const isConditional = headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined;
    if (!this.isOn || isConditional) return null;
    return LOCATIONS[isPart ? 'part' : 'whole'] + (await this.storage.locateForProxy(key));
  }

  /** Ends a response, which has the headers of the file, with the order to send what is at an internal address. */
  order(address: string, response: Response): void {
    for (const name of RENAMED) {
      const value = response.get(name);
      if (value === undefined) continue;
      response.removeHeader(name);
      response.setHeader(`X-Vitrine-${name}`, value);
    }
    response.setHeader(INTERNAL_ADDRESS_HEADER, address).end();
  }
}
