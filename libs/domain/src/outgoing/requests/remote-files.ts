import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { readDestination } from './destination.rules';
import { OutgoingNetwork, RefusedDestinationError } from './outgoing-network';
import { UrlUploadsConfig } from './url-uploads.config';

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What is asked for. Compressed bodies would be no files. */
const HEADERS = {
  Accept: 'image/*, video/*, */*;q=0.1',
  'Accept-Encoding': 'identity',
  'User-Agent': 'Vitrine',
};

/** Opens files on strangers' servers. The target of each redirect is checked as the first address is. */
@Injectable()
export class RemoteFiles {
  constructor(
    private readonly config: UrlUploadsConfig,
    private readonly network: OutgoingNetwork,
  ) {}

  /**
   * The response with the file, whose body the caller must read or destroy; `signal` ends it. Throws
   * `RefusedDestinationError` with a sentence for the user if there is no file.
   */
  async open(address: string, signal: AbortSignal): Promise<IncomingMessage> {
    let next = address;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const url = readDestination(next, this.config);
      if (typeof url === 'string') throw new RefusedDestinationError(`The address ${url}.`);
      const response = await this.network
        .request(url, this.config, { headers: HEADERS, signal })
        .catch((error: unknown) => {
          if (signal.aborted || error instanceof RefusedDestinationError) throw error;
          throw new RefusedDestinationError('The server can’t be reached.');
        });
      const { statusCode = 0, headers } = response;
      if (statusCode === 200) return response;
      response.destroy();
      if (!REDIRECTS.has(statusCode) || headers.location === undefined)
        throw new RefusedDestinationError(`The server answered ${statusCode}.`);
      next = URL.canParse(headers.location, url.href) ? new URL(headers.location, url).href : '';
    }
    throw new RefusedDestinationError('The server redirects too often.');
  }
}
