import { Injectable } from '@nestjs/common';
import { MediaReading } from '@vitrine/domain';
import { HeldRequests, HoldServices } from '@vitrine/http';

/** Requests that a process holds. Each costs a connection and a timer. */
const LIMIT = 200;
const PER_ADDRESS = 8;

/** Holds requests with `wait` until processing and the automatic check of their media items are done. */
@Injectable()
export class MediaWaits extends HeldRequests {
  constructor(media: MediaReading, services: HoldServices) {
    const limits = { limit: LIMIT, each: PER_ADDRESS };
    super(limits, (slugs) => media.findInProgress(slugs), services);
  }
}
