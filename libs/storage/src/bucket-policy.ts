import { PutBucketPolicyCommand } from '@aws-sdk/client-s3';
import { S3Calls, USUAL_PATIENCE } from './s3-calls';
import type { BucketLocation } from './storage-location';
import type { StorageConfig } from './storage.config';

/**
 * Puts a policy on a bucket, in place of the one that it has. The configured key must be the bucket owner's. Throws
 * `StorageUnavailableError`, also where the store does not accept the policy.
 */
export async function putBucketPolicy(
  location: BucketLocation,
  { accessKeyId, secretAccessKey }: Pick<StorageConfig, 'accessKeyId' | 'secretAccessKey'>,
  policy: object,
): Promise<void> {
  const calls = new S3Calls(
    location,
    accessKeyId ? { accessKeyId, secretAccessKey } : undefined,
    USUAL_PATIENCE,
  );
  const request = new PutBucketPolicyCommand({ Bucket: location.bucket, Policy: JSON.stringify(policy) });
  try {
    await calls.call('set the policy of the bucket', (client, options) => client.send(request, options));
  } finally {
    calls.close();
  }
}
