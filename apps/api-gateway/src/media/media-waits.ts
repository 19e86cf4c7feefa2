import { Injectable } from '@nestjs/common';
import { MediaReading } from '@vitrine/domain';
import { HeldRequests, Overload, RequestClients } from '@vitrine/http';
import { HttpObserver } from '@vitrine/runtime';
import { Registry } from 'prom-client';

/** Requests that a process holds. Each costs a connection and a timer. */
const LIMIT = 200;
const PER_ADDRESS = 8;

/** Holds requests with `wait` until processing and the automatic check of their media items are done. */
@Injectable()
export class MediaWaits extends HeldRequests {
  constructor(
    media: MediaReading,
    clients: RequestClients,
    overload: Overload,
    observer: HttpObserver,
    registry: Registry,
  ) {
    const limits = { limit: LIMIT, each: PER_ADDRESS };
    super(limits, (slugs) => media.findInProgress(slugs), { clients, overload, observer, registry });
  }
}
