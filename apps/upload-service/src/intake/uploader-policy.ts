import { Injectable } from '@nestjs/common';
import { ForbiddenError, GuestUploadsConfig } from '@vitrine/domain';
import { assertAccess, type RequestAccess, UPLOAD_ACCESS } from '@vitrine/http';
import { UploadConfig } from '../config/upload.config';
import type { Uploader } from './intake.service';

/** Decides who may upload, and whose daily quota an upload counts for. */
@Injectable()
export class UploaderPolicy {
  constructor(
    private readonly config: UploadConfig,
    private readonly guests: GuestUploadsConfig,
  ) {}

  /**
   * Checks `UPLOAD_ACCESS`, and `GUEST_UPLOADS` for guests. Uploads of guests count for their client key, so that one client can't get more by becoming
   * several guests. Throws `UnauthenticatedError` and `ForbiddenError`.
   */
  uploaderOf(access: RequestAccess): Uploader {
    assertAccess(UPLOAD_ACCESS, access);
    const { caller, clientKey } = access;
    if (caller?.isGuest && !this.guests.guestUploads) throw new ForbiddenError();
    const subject = caller && !caller.isGuest ? `user:${caller.userId}` : `ip:${clientKey}`;
    return {
      caller,
      quota: { subject, filesPerDay: this.config.uploadsPerDay, ...(caller && { tokenId: caller.tokenId }) },
      viaTicket: caller?.kind === 'ticket',
    };
  }
}
