import { DeletionHold } from '@vitrine/domain';
import type { AdminCommand } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { withDomain } from '../command-line/contexts';

/** `npm run admin -- hold-deletions`: what a restore begins with. */
export const holdDeletions: AdminCommand = {
  name: 'hold-deletions',
  usage: '[--end]',
  summary:
    'Delete no files of media until --end: for a restored database, which contains deletions of files that may be needed again. The deletions are made later.',
  run(args, { print }) {
    const { end = false } = readArguments(args, { positions: [], options: [], flags: ['end'] });
    return withDomain(async (context) => {
      const hold = context.get(DeletionHold);
      if (end) {
        print((await hold.end()) ? 'Files are deleted again.' : 'Deletions were not held.');
        return;
      }
      await hold.begin();
      print('No files of media are deleted until: npm run admin -- hold-deletions --end');
    });
  },
};
