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
   * Accounts upload with a session or a token of scope `upload`; guests on the web site only. Throws
   * `UnauthenticatedError`, `ForbiddenError`.
   */
  uploaderOf({ caller, viaSite, addressBucket }: Admission): Uploader {
    const filesPerDay = this.config.uploadsPerDay;
    if (!caller) {
      if (!viaSite) throw new UnauthenticatedError();
      return { userId: null, quota: { subject: `ip:${addressBucket}`, filesPerDay } };
    }
    if (caller.kind === 'api' && !caller.scopes.includes('upload')) throw new ForbiddenError();
    return { userId: caller.userId, quota: { subject: `user:${caller.userId}`, filesPerDay } };
  }
}
