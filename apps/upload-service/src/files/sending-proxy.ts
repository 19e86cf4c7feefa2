import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { transportSecurity } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { type ObjectInfo, ObjectStorage } from '@vitrine/storage';
import { UploadConfig } from '../config/upload.config';

/** The header by which nginx sends the file at an internal address instead of the answer's body. */
const INTERNAL_ADDRESS_HEADER = 'X-Accel-Redirect';

/** The storage's own etag of the object: a bucket sends only this version to nginx. */
const OBJECT_ETAG_HEADER = 'X-Vitrine-Object-Etag';

/** Set in nginx's question for a decision. The answer is the decision, 403 (there is none), or an error such as 503. */
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
    private readonly storage: ObjectStorage,
    private readonly urls: PublicUrlsConfig,
    { fileSending }: UploadConfig,
  ) {
    this.isOn = fileSending === 'x-accel';
  }

  /**
   * The internal address of an object, or of the part of it that the request names; null if this process must send it:
   * nginx would compare these conditions with a file that doesn’t have the etag of the answer.
   */
  async addressFor(key: string, { headers }: IncomingMessage, isPart: boolean): Promise<string | null> {
    const isConditional = headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined;
    return this.isOn && !isConditional ? this.internalAddress(key, isPart ? 'part' : 'whole') : null;
  }

  /** The headers of a decision on a whole file: those of its answer that depend on the file (`own`), and where it is. */
  async decisionOn(
    object: ObjectInfo,
    own: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    return {
      ...transportSecurity(this.urls),
      ...orderTo(await this.internalAddress(object.key, 'whole'), object, own),
    };
  }

  /** Refuses a question for a decision. The length lets nginx use the connection again. */
  refuse(response: ServerResponse): void {
    response.writeHead(403, { 'Content-Length': '0' }).end();
  }

  private async internalAddress(key: string, location: keyof typeof LOCATIONS): Promise<string> {
    return LOCATIONS[location] + (await this.storage.locateForProxy(key));
  }
}

/** The headers that make nginx send `object` from an internal address. `own`: the file's headers for the client. */
export function orderTo(
  address: string,
  object: ObjectInfo,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers: Record<string, string> = {
    [INTERNAL_ADDRESS_HEADER]: address,
    [OBJECT_ETAG_HEADER]: `"${object.etag}"`,
    'Content-Length': '0',
  };
  for (const [name, value] of Object.entries(own)) {
    headers[RENAMED.has(name) ? `X-Vitrine-${name}` : name] = value;
  }
  return headers;
}
