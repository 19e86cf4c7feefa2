import { Injectable } from '@nestjs/common';
import { MediaReading } from '@vitrine/domain';
import { HeldRequests, HoldServices } from '@vitrine/http';
import { UploadConfig } from '../config/upload.config';

/** The number of requests that a process may hold, as a share of the files that it serves at the same time. */
const SHARE = 1 / 4;
/** Requests of one address that are held: two browsers with six connections each, and some programs. */
const PER_ADDRESS = 16;

/**
 * Holds requests for variants that are being made: programs that fetch a new link within its first second, for a link
 * preview, remember a failure permanently.
 */
@Injectable()
export class VariantHolds extends HeldRequests {
  constructor(media: MediaReading, services: HoldServices, { maxConcurrentFiles }: UploadConfig) {
    const limits = { limit: Math.floor(maxConcurrentFiles * SHARE), each: PER_ADDRESS };
    super(limits, (slugs) => media.findUnprocessed(slugs), services);
  }
}
