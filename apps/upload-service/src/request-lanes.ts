import type { INestApplicationContext } from '@nestjs/common';
import { HttpConfig, type Lane } from '@vitrine/http';
import { UploadConfig } from './upload.config';

/** The prefix of the paths of files. */
export const FILES = '/f/';

/**
 * What this host works on at a time. Files and uploads take as long as their clients' lines, so none waits for
 * another; beyond the uploads that are taken there is room for those who are told that there is none.
 */
export function lanesOf(app: INestApplicationContext): readonly Lane[] {
  const uploads = app.get(UploadConfig);
  const requests = app.get(HttpConfig);
  return [
    {
      start: FILES,
      limit: uploads.maxConcurrentFiles,
      waiting: 0,
      perAddress: uploads.maxConcurrentFilesPerAddress,
    },
    {
      start: '',
      limit: uploads.maxConcurrentUploads + requests.maxConcurrentRequests,
      waiting: 0,
      perAddress: uploads.maxConcurrentUploadsPerCaller + requests.maxConcurrentRequestsPerAddress,
    },
  ];
}
