import type { IncomingMessage } from 'node:http';
import type S3rver from 's3rver';
import { text } from 'node:stream/consumers';
import S3Error from 's3rver/lib/models/error';
import { EnforcedPolicy } from './enforced-policy';
import type { Bucket } from './buckets';

const PAGE = 1000;

/** Handles requests that s3rver's routes don't support, and rejects requests that they wrongly accept. */
export const bucketRoutes =
  (bucket: Bucket): S3rver.Middleware =>
  async (context, next) => {
    const { method, headers, query } = context;
    const [, account = query['X-Amz-Credential']?.split('/', 1)[0]] =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\//.exec(headers.authorization ?? '') ?? [];
    if (account === undefined) throw new S3Error('AccessDenied', 'Access Denied');
    assertRight(bucket, account, context.req);
    const [, name, ...rest] = context.path.split('/');
    const key = decodeURIComponent(rest.join('/'));
    if (name !== bucket.name) return next();
    if (method === 'GET' && query['list-type'] === '2') {
      context.body = { ListBucketResult: listObjects(bucket, query) };
    } else if (method === 'GET' && 'uploads' in query && key === '') {
      context.body = { ListMultipartUploadsResult: listUploads(bucket, query) };
    } else if (method === 'PUT' && 'policy' in query && key === '') {
      bucket.policy = new EnforcedPolicy(await text(context.req));
      context.status = 204;
    } else if (method === 'DELETE' && query['uploadId'] !== undefined) {
      await bucket.abortUpload(query['uploadId']);
      context.status = 204;
    } else {
      assertIfMatch(bucket, key, headers['if-match']);
      if (query['uploadId'] && headers['if-none-match'] === '*') bucket.conditional.add(query['uploadId']);
      await next();
    }
  };

/** The owner may do everything; other accounts may do what the policy allows. */
function assertRight(bucket: Bucket, account: string, request: IncomingMessage): void {
  if (!bucket.accounts.has(account) || bucket.policy?.allowsRequest(account, request)) return;
  bucket.refusals.push(`${account}: ${request.method} ${request.url}`);
  throw new S3Error('AccessDenied', 'Access Denied');
}

function assertIfMatch(bucket: Bucket, key: string, ifMatch: string | undefined): void {
  const stored = bucket.objects.get(key);
  if (ifMatch === undefined || !stored || JSON.stringify(stored.etag) === ifMatch) return;
  throw new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold');
}

function listObjects({ name, objects }: Bucket, query: S3rver.Context['query']): object {
  const { prefix = '', 'continuation-token': after = '' } = query;
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, PAGE);
  const truncated = keys.length > PAGE;
  return {
    Name: name,
    Prefix: prefix,
    KeyCount: page.length,
    MaxKeys: PAGE,
    IsTruncated: truncated,
    ...(truncated && { NextContinuationToken: page.at(-1) }),
    Contents: page.map((key) => {
      const { size, etag, modifiedAt } = objects.get(key)!;
      return { Key: key, LastModified: modifiedAt.toISOString(), ETag: JSON.stringify(etag), Size: size };
    }),
  };
}

function listUploads({ name, uploads }: Bucket, query: S3rver.Context['query']): object {
  const { prefix = '', 'upload-id-marker': after = '' } = query;
  const ids = [...uploads.keys()]
    .filter((id) => uploads.get(id)!.key.startsWith(prefix) && id > after)
    .sort();
  const page = ids.slice(0, PAGE);
  const last = page.at(-1);
  return {
    Bucket: name,
    Prefix: prefix,
    MaxUploads: PAGE,
    IsTruncated: ids.length > PAGE,
    ...(last !== undefined && { NextKeyMarker: uploads.get(last)!.key, NextUploadIdMarker: last }),
    Upload: page.map((id) => {
      const { key, initiatedAt } = uploads.get(id)!;
      return { Key: key, UploadId: id, Initiated: initiatedAt.toISOString() };
    }),
  };
}
