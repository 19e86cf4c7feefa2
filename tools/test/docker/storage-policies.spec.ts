import { FILE_NAMES, objectKeys } from '@vitrine/contracts';
import { EnforcedPolicy } from '@vitrine/testing';
import { bucketPolicy, STORAGE_SERVICES } from '../../admin/src/commands/storage-policy';

const SLUG = 'aB3xY9z';
const ORIGINAL = objectKeys.original(SLUG, 'jpg');
const VARIANTS = FILE_NAMES.map((name) => objectKeys.variant(SLUG, name, 'webp'));
const FRAME = objectKeys.moderationFrame(SLUG, 0);
const ACTIONS = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'];
const NAMES = [...STORAGE_SERVICES, 'admin'];

describe('the policies of docs/storage-policies', () => {
  const policy = new EnforcedPolicy(JSON.stringify(bucketPolicy({ bucket: 'ours', prefix: '' }, NAMES)));
  const allowed = (name: string, key: string): readonly string[] =>
    ACTIONS.filter((action) => policy.allows(name, action, `ours/${key}`));

  // Promise [security]: media-processor can’t replace or delete originals.
  it('let media-processor read originals and neither replace nor delete them', () => {
    expect(allowed('media-processor', ORIGINAL)).toEqual(['s3:GetObject']);
  });

  it('let media-processor write every variant and frame, and delete nothing', () => {
    for (const key of [...VARIANTS, FRAME]) {
      expect(allowed('media-processor', key)).toEqual([
        's3:GetObject',
        's3:PutObject',
        's3:AbortMultipartUpload',
      ]);
    }
  });

  it.each([`frames/../${ORIGINAL}`, `f/_/../${SLUG}.jpg`, `f/a_b/c/../../${SLUG}.jpg`])(
    'give no access to an original by %s, if a store treats a key as a path',
    (key) => {
      expect(policy.allows('media-processor', 's3:PutObject', `ours/${key}`)).toBe(false);
      expect(policy.allows('media-processor', 's3:DeleteObject', `ours/${key}`)).toBe(false);
      expect(policy.allows('moderation-service', 's3:GetObject', `ours/${key}`)).toBe(false);
    },
  );

  it('contain no explicit deny of deletion', () => {
    const { Statement } = bucketPolicy({ bucket: 'ours', prefix: '' }, NAMES);
    const denied = Statement.filter(({ Effect }) => Effect === 'Deny').flatMap(({ Action }) => Action);
    expect(denied.filter((action) => !['s3:GetObject', 's3:PutObject'].includes(action))).toEqual([]);
  });

  it('let moderation-service read frames and nothing else', () => {
    for (const key of [ORIGINAL, ...VARIANTS]) expect(allowed('moderation-service', key)).toEqual([]);
    expect(allowed('moderation-service', FRAME)).toEqual(['s3:GetObject']);
  });

  it('let upload-service and the operator handle every object of a media item', () => {
    for (const name of ['upload-service', 'admin']) {
      for (const key of [ORIGINAL, ...VARIANTS, FRAME]) expect(allowed(name, key)).toEqual(ACTIONS);
    }
    // The doctor writes, reads and deletes its own object.
    expect(allowed('admin', 'doctor/1')).toEqual(ACTIONS);
    expect(allowed('upload-service', 'doctor/1')).toEqual([]);
  });

  it.each(NAMES)('let %s list the bucket, so that an absent object is 404 and not 403', (name) => {
    expect(policy.allows(name, 's3:ListBucket', 'ours')).toBe(true);
    expect(policy.allows(name, 's3:PutBucketPolicy', 'ours')).toBe(false);
  });

  it('apply only below the prefix and only to this bucket', () => {
    const below = new EnforcedPolicy(JSON.stringify(bucketPolicy({ bucket: 'ours', prefix: 'site/' })));
    expect(below.allows('media-processor', 's3:PutObject', `ours/site/${FRAME}`)).toBe(true);
    expect(below.allows('media-processor', 's3:PutObject', `ours/${FRAME}`)).toBe(false);
    expect(below.allows('media-processor', 's3:PutObject', `vitrine-media/${FRAME}`)).toBe(false);
    expect(below.allows('media-processor', 's3:PutObject', `ours/site/frames/../${ORIGINAL}`)).toBe(false);
  });

  it('fit in an extended attribute of ext4, where versitygw keeps them', () => {
    // All policies together must fit into 4 KiB, and a bucket may have others.
    expect(JSON.stringify(bucketPolicy({ bucket: 'vitrine', prefix: '' })).length).toBeLessThan(3_000);
  });
});
