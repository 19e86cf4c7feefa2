import type { INestApplicationContext } from '@nestjs/common';
import { HttpConfig, type Lane } from '@vitrine/http';
import { UploadConfig } from './upload.config';

/**
 * What this host works on at a time. Files and uploads take as long as their clients' lines, so none waits for
 * another; beyond the uploads that are taken there is room for those who are told that there is none.
 */
export function lanesOf(app: INestApplicationContext): readonly Lane[] {
  const { maxConcurrentFiles, maxConcurrentUploads } = app.get(UploadConfig);
  const { maxConcurrentRequests } = app.get(HttpConfig);
  return [
    { start: '/f/', limit: maxConcurrentFiles, waiting: 0 },
    { start: '', limit: maxConcurrentUploads + maxConcurrentRequests, waiting: 0 },
  ];
}
