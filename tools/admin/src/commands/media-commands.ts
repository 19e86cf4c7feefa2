import { BannedHashesService, ModerationService } from '@vitrine/domain';
import { type AdminCommand, UsageError } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { withDomain } from '../command-line/contexts';

export const banHash: AdminCommand = {
  name: 'ban-hash',
  usage: 'SHA256 --reason R',
  summary: 'Refuse uploads of a file with this SHA-256 from now on.',
  async run(args, { print }) {
    const { SHA256, reason } = readArguments(args, { positions: ['SHA256'], options: ['reason'] });
    if (!/^[0-9a-f]{64}$/i.test(SHA256)) throw new UsageError('SHA256 must be 64 hexadecimal digits.');
    if (!reason?.trim() || [...reason].length > 1000) {
      throw new UsageError('--reason must have 1 to 1000 characters.');
    }
    await withDomain(async (context) => {
      const isNew = await context.get(BannedHashesService).banSha256(SHA256, reason, null);
      print(isNew ? `Banned ${SHA256}.` : `${SHA256} is already banned.`);
    });
  },
};

export const reprocess: AdminCommand = {
  name: 'reprocess',
  usage: 'SLUG',
  summary: 'Process a media item again, even one whose processing failed permanently.',
  async run(args, { print }) {
    const { SLUG } = readArguments(args, { positions: ['SLUG'], options: [] });
    await withDomain((context) => context.get(ModerationService).reprocess(SLUG));
    print(`${SLUG} will be processed again.`);
  },
};
