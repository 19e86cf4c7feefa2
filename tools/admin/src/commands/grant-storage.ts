import { readConfig } from '@vitrine/runtime';
import { putBucketPolicy, StorageConfig } from '@vitrine/storage';
import { type AdminCommand, CommandFailure } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { describeFailure } from '../doctor/check';
import { bucketPolicy, STORAGE_SERVICES } from './storage-policy';

/** `npm run admin -- grant-storage`, for object stores with an account for each service, named like it. */
export const grantStorage: AdminCommand = {
  name: 'grant-storage',
  usage: '',
  summary: 'Replace the policy of the bucket with the rights of each service’s account; safe at any time.',
  async run(args, { print }) {
    readArguments(args, { positions: [], options: [] });
    const config = readConfig(StorageConfig);
    if (config.location.kind === 'folder') {
      throw new CommandFailure('STORAGE_URL is a folder; only a bucket has accounts.');
    }
    await putBucketPolicy(config.location, config, bucketPolicy(config.location)).catch((error: unknown) => {
      throw new CommandFailure(describeFailure(error));
    });
    print(`The rights in the bucket are set for ${STORAGE_SERVICES.join(', ')}.`);
  },
};
