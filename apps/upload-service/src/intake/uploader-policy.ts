import { Injectable } from '@nestjs/common';
import { ForbiddenError, UnauthenticatedError } from '@vitrine/domain';
import type { Admission } from '@vitrine/http';
import { UploadConfig } from '../upload.config';
import type { Uploader } from './intake.service';

/** Who may upload, and for whose day it counts. */
@Injectable()
export class UploaderPolicy {
  constructor(private readonly config: UploadConfig) {}

  /**
   * Whoever holds a session, or a token of scope `upload`, as every ticket is; without either, who comes through the
   * web site. Guests' days count for their address, however many guests one is. Throws `UnauthenticatedError`,
   * `ForbiddenError`.
   */
  uploaderOf({ caller, viaSite, addressBucket }: Admission): Uploader {
    if (!caller && !viaSite) throw new UnauthenticatedError();
    if (caller && caller.kind !== 'session' && !caller.scopes.includes('upload')) throw new ForbiddenError();
    const subject = caller && !caller.isGuest ? `user:${caller.userId}` : `ip:${addressBucket}`;
    return {
      userId: caller?.userId ?? null,
      quota: { subject, filesPerDay: this.config.uploadsPerDay },
      viaTicket: caller?.kind === 'ticket',
    };
  }
}
