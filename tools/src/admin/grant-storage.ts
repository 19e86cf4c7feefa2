import { loadConfig } from '@vitrine/runtime';
import { putBucketPolicy, StorageConfig } from '@vitrine/storage';
import { type AdminCommand, CommandFailure } from './admin-command';
import { readArguments } from './arguments';
import { describeFailure } from './doctor/check';
import { bucketPolicy, STORAGE_SERVICES } from './storage-policy';

/** `npm run admin -- grant-storage`, for stores in which each service has an account of its own name. */
export const grantStorage: AdminCommand = {
  name: 'grant-storage',
  usage: '',
  summary:
    'Give the account of each service its rights in the bucket, in place of its policy; safe at any time.',
  async run(args, { print }) {
    readArguments(args, { positions: [], options: [] });
    // eslint-disable-next-line no-restricted-properties
    const config = loadConfig(StorageConfig, process.env);
    if (config.location.kind === 'folder') {
      throw new CommandFailure('STORAGE_URL names a folder; only a bucket has accounts.');
    }
    await putBucketPolicy(config.location, config, bucketPolicy(config.location)).catch((error: unknown) => {
      throw new CommandFailure(describeFailure(error));
    });
    print(`The rights in the bucket are set for ${STORAGE_SERVICES.join(', ')}.`);
  },
};
