import type { INestApplicationContext } from '@nestjs/common';
import { HttpConfig, type RequestLane } from '@vitrine/http';
import { FILES_PREFIX } from '../files/file-name';
import { UploadConfig } from '../config/upload.config';

/**
 * Bounds how many requests this host handles at a time. Files and uploads take as long as their clients' connections, so
 * none waits for another. The limit for uploads leaves room to refuse further uploads with a response.
 */
export function lanesOf(app: INestApplicationContext): readonly RequestLane[] {
  const uploads = app.get(UploadConfig);
  const requests = app.get(HttpConfig);
  return [
    {
      start: FILES_PREFIX,
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
