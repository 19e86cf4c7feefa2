import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A bucket of S3 or a compatible store. */
export interface BucketLocation {
  readonly kind: 's3';
  readonly bucket: string;
  /** Prefix of all keys in the bucket, with its slash; empty for none. */
  readonly prefix: string;
  readonly region: string;
  /** Null for Amazon S3. */
  readonly endpoint: string | null;
  /** Whether URLs contain the bucket in the path, not in the host name. */
  readonly pathStyle: boolean;
}

export interface FolderLocation {
  readonly kind: 'folder';
  /** Absolute path. */
  readonly path: string;
}

export type StorageLocation = FolderLocation | BucketLocation;

/** Lower-case labels of letters, digits and hyphens between dots, 3 to 63 characters (Amazon's rules for new buckets). */
const BUCKET = /^(?=.{3,63}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/;
const REGION = /^[a-z0-9-]{2,40}$/;
const QUERY = ['region', 'endpoint', 'path_style'] as const;

/** The region that most compatible stores accept. */
const DEFAULT_REGION = 'us-east-1';

/** Reads `STORAGE_URL`. Throws an `Error` whose message completes "must be …" and repeats nothing of the value. */
export function parseStorageUrl(raw: string): StorageLocation {
  let url: URL;
  try {
    url = new URL(raw);
  } catch {
    throw new Error('a URL that begins with file:// or s3://');
  }
  if (url.protocol === 'file:') return folderOf(url);
  if (url.protocol === 's3:') return bucketOf(url);
  throw new Error('a URL that begins with file:// or s3://');
}

function folderOf(url: URL): FolderLocation {
  if (url.host || url.search || url.hash) throw new Error('the absolute path of a folder after file://');
  const path = fileURLToPath(url).replace(/(?<=[^/])\/+$/, '');
  if (!isAbsolute(path)) throw new Error('the absolute path of a folder after file://');
  return { kind: 'folder', path };
}

function bucketOf(url: URL): BucketLocation {
  if (url.username || url.password) {
    throw new Error('without credentials, which belong in S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
  }
  if (url.hash) throw new Error('without a fragment');
  if (url.port || !BUCKET.test(url.host)) {
    throw new Error("s3:// with the bucket's name: 3 to 63 lower-case letters, digits, hyphens and dots");
  }
  const prefix = url.pathname.replace(/^\/+|(?<!\/)\/+$/g, '') + (/[^/]/.test(url.pathname) ? '/' : '');
  if (!PREFIX.test(prefix))
    throw new Error('s3:// with a prefix of letters, digits, dots, hyphens and underscores');
  const query = queryOf(url);
  const endpoint = query.endpoint === undefined ? null : endpointOf(query.endpoint);
  const region = query.region ?? (endpoint === null ? undefined : DEFAULT_REGION);
  if (region === undefined)
    throw new Error('s3:// with ?region=…, or with ?endpoint=… of a store without regions');
  if (!REGION.test(region)) throw new Error('s3:// with the name of a region, such as region=eu-west-1');
  const pathStyle = query.path_style ?? 'false';
  if (pathStyle !== 'true' && pathStyle !== 'false')
    throw new Error('s3:// with path_style=true or path_style=false');
  return { kind: 's3', bucket: url.host, prefix, region, endpoint, pathStyle: pathStyle === 'true' };
}

function queryOf({ searchParams }: URL): Partial<Record<(typeof QUERY)[number], string>> {
  const names = [...searchParams.keys()];
  if (names.some((name) => !QUERY.some((known) => known === name)) || new Set(names).size < names.length) {
    throw new Error(`s3:// with no query but ${QUERY.join(', ')}, each once`);
  }
  return Object.fromEntries(searchParams);
}

function endpointOf(raw: string): string {
  const complaint = 's3:// with the endpoint as http://host[:port] or https://host[:port]';
  let url: URL;
  try {
    url = new URL(raw);
  } catch {
    throw new Error(complaint);
  }
  const bare = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  if (!['http:', 'https:'].includes(url.protocol) || !bare) throw new Error(complaint);
  return url.origin;
}
