import { API_PREFIX } from '@vitrine/http';
import type { PublicUrlsConfig } from '@vitrine/runtime';

/** The public address of the upload host, without a slash at its end. */
const uploadHost = ({ upload }: PublicUrlsConfig): string =>
  upload.endsWith(`/${API_PREFIX}/media`)
    ? upload.slice(0, -`/${API_PREFIX}/media`.length)
    : new URL(upload).origin;

/** The page that deletes a media item for anyone who knows its address. */
export const deletionUrl = (code: string, urls: PublicUrlsConfig): string => `${uploadHost(urls)}/d/${code}`;
