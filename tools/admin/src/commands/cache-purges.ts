import { Database } from '@vitrine/database';
import { AuditLog, CachePurges } from '@vitrine/domain';
import { type AdminCommand, UsageError } from '../command-line/admin-command';
import { withDomain } from '../command-line/contexts';

export const cachePurges: AdminCommand = {
  name: 'cache-purges',
  usage: 'list | retry',
  summary: 'Show the purges that caches must still execute, and repeat purges that were given up.',
  async run([action, ...rest], { print }) {
    if ((action !== 'list' && action !== 'retry') || rest.length > 0)
      throw new UsageError('Expected list or retry.');
    await withDomain(async (context) => {
      const purges = context.get(CachePurges);
      if (action === 'retry') {
        const retried = await purges.retryDead();
        if (retried > 0) {
          await context.get(Database).transaction((tx) =>
            context.get(AuditLog).append(tx, {
              by: null,
              action: 'bus.replay',
              subject: { type: 'bus', id: null, name: 'cache purges' },
              detail: { letters: retried },
            }),
          );
        }
        print(retried === 1 ? '1 purge is due again.' : `${retried} purges are due again.`);
      }
      for (const { cache, waiting, dead, oldestDue, error } of await purges.findBacklogs()) {
        const late = `the oldest has been due for ${Math.round(oldestDue)} seconds`;
        print(`${cache}: ${waiting} waiting, ${late}; ${dead} given up${error === null ? '' : `; ${error}`}`);
      }
    });
  },
};
