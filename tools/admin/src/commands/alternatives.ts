import { Alternatives } from '@vitrine/domain';
import { type AdminCommand, UsageError } from '../command-line/admin-command';
import { withDomain } from '../command-line/contexts';

export const alternatives: AdminCommand = {
  name: 'alternatives',
  usage: 'list | enqueue',
  summary: 'Show how many media wait for WebP and AVIF, or make all older photographs without them wait too.',
  async run([action, ...rest], { print }) {
    if ((action !== 'list' && action !== 'enqueue') || rest.length > 0)
      throw new UsageError('Expected list or enqueue.');
    await withDomain(async (context) => {
      const service = context.get(Alternatives);
      if (action === 'enqueue') {
        const added = await service.enqueueAll();
        print(added === 1 ? '1 media item waits in addition.' : `${added} media wait in addition.`);
      }
      const { media, requested } = await service.findBacklog();
      print(`${media} waiting, of which ${requested} are being made.`);
    });
  },
};
