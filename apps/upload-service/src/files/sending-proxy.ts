import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { transportSecurity } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { ObjectStorage } from '@vitrine/storage';
import type { Request, Response } from 'express';
import { UploadConfig } from '../config/upload.config';

/** The header by which nginx sends the file at an internal address instead of the answer's body. */
const INTERNAL_ADDRESS_HEADER = 'X-Accel-Redirect';

/** Set in nginx's question for a decision, to which the answer is the decision or 403. */
export const QUESTION_HEADER = 'x-vitrine-question';

/** Internal locations of docker/nginx/files.conf: one ignores the header `Range`, the other follows it. */
const LOCATIONS = { whole: '/vitrine-files/whole/', part: '/vitrine-files/part/' } as const;

/** nginx keeps these headers of an answer even if it then sends an error page, so it gets them under other names. */
const RENAMED: ReadonlySet<string> = new Set(['Content-Type', 'Content-Disposition', 'Cache-Control']);

/** The proxy in front of this process that sends files for it (`FILE_SENDING`). */
@Injectable()
export class SendingProxy {
  readonly isOn: boolean;

  constructor(
    @Inject(ObjectStorage) private readonly storage: ObjectStorage,
    @Inject(PublicUrlsConfig) private readonly urls: PublicUrlsConfig,
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
    return this.isOn && !isConditional ? this.internalAddress(key, isPart ? 'part' : 'whole') : null;
  }

  /** The headers of a decision on a whole file: those of its answer that depend on the file, and its internal address. */
  async decisionOn(key: string, headers: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const decision: Record<string, string> = {
      ...transportSecurity(this.urls),
      [INTERNAL_ADDRESS_HEADER]: await this.internalAddress(key, 'whole'),
      'Content-Length': '0',
    };
    for (const [name, value] of Object.entries(headers)) {
      decision[RENAMED.has(name) ? `X-Vitrine-${name}` : name] = value;
    }
    return decision;
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

  /** Refuses a question for a decision. The length lets nginx use the connection again. */
  refuse(response: ServerResponse): void {
    response.writeHead(403, { 'Content-Length': '0' }).end();
  }

  private async internalAddress(key: string, location: keyof typeof LOCATIONS): Promise<string> {
    return LOCATIONS[location] + (await this.storage.locateForProxy(key));
  }
}
