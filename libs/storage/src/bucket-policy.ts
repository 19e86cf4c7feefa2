import type { BucketLocation } from './storage-location';
import type { StorageConfig } from './storage.config';

/**
 * Replaces the policy of a bucket. The configured key must be the bucket owner's. Throws `StorageUnavailableError`, also if
 * the store does not accept the policy.
 */
export async function putBucketPolicy(
  location: BucketLocation,
  { accessKeyId, secretAccessKey }: Pick<StorageConfig, 'accessKeyId' | 'secretAccessKey'>,
  policy: object,
): Promise<void> {
  const { PutBucketPolicyCommand } = await import('@aws-sdk/client-s3');
  const { S3Calls, DEFAULT_TIMEOUTS } = await import('./s3-calls.js');
  const calls = new S3Calls(
    location,
    accessKeyId ? { accessKeyId, secretAccessKey } : undefined,
    DEFAULT_TIMEOUTS,
  );
  const request = new PutBucketPolicyCommand({ Bucket: location.bucket, Policy: JSON.stringify(policy) });
  try {
    await calls.call('set the policy of the bucket', (client, options) => client.send(request, options));
  } finally {
    calls.close();
  }
}
