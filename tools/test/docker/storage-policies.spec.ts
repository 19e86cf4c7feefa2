import { objectKeys, VARIANT_NAMES } from '@vitrine/contracts';
import { POLICY_NAMES, StoragePolicy } from './storage-policies';

const SLUG = 'aB3xY9z';
const ORIGINAL = objectKeys.original(SLUG, 'jpg');
const VARIANTS = VARIANT_NAMES.map((name) => objectKeys.variant(SLUG, name, 'webp'));
const FRAME = objectKeys.moderationFrame(SLUG, 0);
const ACTIONS = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'];

describe('the policies of docs/storage-policies', () => {
  const [uploads, processor, moderation, admin] = POLICY_NAMES.map((name) => new StoragePolicy(name));

  it('let media-processor read originals and neither replace nor delete them', () => {
    expect(ACTIONS.filter((action) => processor?.allows(action, ORIGINAL))).toEqual(['s3:GetObject']);
  });

  it('let media-processor write every variant and frame, and delete nothing', () => {
    for (const key of [...VARIANTS, FRAME]) {
      expect(processor?.allows('s3:PutObject', key)).toBe(true);
      expect(processor?.allows('s3:DeleteObject', key)).toBe(false);
    }
  });

  it('let moderation-service read frames and nothing else', () => {
    for (const key of [ORIGINAL, ...VARIANTS]) {
      expect(ACTIONS.filter((action) => moderation?.allows(action, key))).toEqual([]);
    }
    expect(ACTIONS.filter((action) => moderation?.allows(action, FRAME))).toEqual(['s3:GetObject']);
  });

  it('let upload-service and the operator handle every object of a media item', () => {
    for (const policy of [uploads, admin]) {
      for (const key of [ORIGINAL, ...VARIANTS, FRAME]) {
        expect(ACTIONS.filter((action) => policy?.allows(action, key))).toEqual(ACTIONS);
      }
    }
    // The doctor writes, reads and deletes its own object.
    expect(ACTIONS.filter((action) => admin?.allows(action, 'doctor/1'))).toEqual(ACTIONS);
    expect(uploads?.allows('s3:PutObject', 'doctor/1')).toBe(false);
  });

  it.each(POLICY_NAMES)('let %s list the bucket, so that an absent object is 404 and not 403', (name) => {
    const policy = new StoragePolicy(name);
    expect(policy.allows('s3:ListBucket')).toBe(true);
    expect(policy.allows('s3:PutBucketPolicy')).toBe(false);
  });
});
