import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BucketLocation } from '@vitrine/storage';

/** The services that use the bucket. Where the store has named accounts, each service has the account with its name. */
export const STORAGE_SERVICES = ['upload-service', 'media-processor', 'moderation-service'] as const;

interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
}

interface Policy<Each extends Statement = Statement> {
  readonly Version: string;
  readonly Statement: readonly Each[];
}

/** A policy of a bucket: unlike a user's policy, it names the account. */
export type BucketPolicy = Policy<Statement & { readonly Principal: { readonly AWS: string } }>;

/** The same folder in the repository and in the image, seen from src/commands and dist/commands. */
const FOLDER = join(__dirname, '../../../../docs/storage-policies');
/** The bucket in those files. */
const BUCKET = 'arn:aws:s3:::vitrine-media';

/** The policies of docs/storage-policies for these accounts, as one policy of the bucket that `location` names. */
export function bucketPolicy(
  { bucket, prefix }: Pick<BucketLocation, 'bucket' | 'prefix'>,
  accounts: readonly string[] = STORAGE_SERVICES,
): BucketPolicy {
  const policies = accounts.map((account) => [account, read(account)] as const);
  return {
    Version: '2012-10-17',
    Statement: policies.flatMap(([account, { Statement }]) =>
      Statement.map(({ Effect, Action, Resource }) => ({
        Effect,
        Principal: { AWS: account },
        Action,
        Resource: Resource.map((each) => inBucket(each, bucket, prefix)),
      })),
    ),
  };
}

const read = (name: string): Policy =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Policy;

function inBucket(resource: string, bucket: string, prefix: string): string {
  if (resource === BUCKET) return `arn:aws:s3:::${bucket}`;
  if (!resource.startsWith(`${BUCKET}/`)) throw new Error(`${resource} is not in the bucket of the examples`);
  return `arn:aws:s3:::${bucket}/${prefix}${resource.slice(BUCKET.length + 1)}`;
}
