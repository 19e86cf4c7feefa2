import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { ROOT } from './docker-build';

/** The processes that have a key for the bucket. */
export const POLICY_NAMES = ['upload-service', 'media-processor', 'moderation-service', 'admin'] as const;
type PolicyName = (typeof POLICY_NAMES)[number];

interface Statement {
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
}

/** The bucket that docs/storage-policies names. */
const BUCKET = 'arn:aws:s3:::vitrine-media';

/** docs/storage-policies/<name>.json, read as Amazon reads it. */
export class StoragePolicy {
  private readonly statements: readonly Statement[];

  constructor(name: PolicyName) {
    const text = readFileSync(join(ROOT, `docs/storage-policies/${name}.json`), 'utf8');
    this.statements = (JSON.parse(text) as { readonly Statement: readonly Statement[] }).Statement;
    const unknown = this.statements.filter((statement) => Object.keys(statement).length !== 3);
    if (unknown.length > 0) throw new Error(`${name}.json has a statement that is not understood`);
  }

  /** Whether it allows `action` on the object under `key`, or on the bucket if no key is given. */
  allows(action: string, key?: string): boolean {
    const resource = key === undefined ? BUCKET : `${BUCKET}/${key}`;
    return this.statements.some(
      (statement) =>
        statement.Action.includes(action) && statement.Resource.some((each) => matches(each, resource)),
    );
  }

  /** Whether it allows a request of S3's protocol to a bucket whose name is in the path. */
  allowsRequest({ method = '', url = '' }: IncomingMessage): boolean {
    const { pathname, searchParams: query } = new URL(url, 'http://bucket.invalid');
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    if (key === '') {
      if (method === 'GET') {
        return this.allows(query.has('uploads') ? 's3:ListBucketMultipartUploads' : 's3:ListBucket');
      }
      // The keys are in the body; any of ours is enough for this check.
      return method === 'POST' && query.has('delete') && this.allows('s3:DeleteObject', 'f/aB3xY9z.jpg');
    }
    const deletion = query.has('uploadId') ? 's3:AbortMultipartUpload' : 's3:DeleteObject';
    const action = {
      GET: 's3:GetObject',
      HEAD: 's3:GetObject',
      PUT: 's3:PutObject',
      POST: 's3:PutObject',
      DELETE: deletion,
    }[method];
    return action !== undefined && this.allows(action, key);
  }
}

/** In a resource, `*` matches any text; no other character is special. */
function matches(pattern: string, text: string): boolean {
  const words = pattern.split('*').map((word) => word.replace(/[.?+^$()[\]{}|\\]/g, '\\$&'));
  return new RegExp(`^${words.join('.*')}$`, 's').test(text);
}
