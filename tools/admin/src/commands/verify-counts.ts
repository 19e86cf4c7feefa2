import { type Transaction, Database } from '@vitrine/database';
import { FeedCountsService, QuotasService, RanksService } from '@vitrine/domain';
import { type AdminCommand, CommandFailure } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { withDomain } from '../command-line/contexts';
import { COUNT_PROOFS } from './verify-counts.proofs';

interface Finding {
  readonly what: string;
  readonly differences: number;
}

export const verifyCounts: AdminCommand = {
  name: 'verify-counts',
  usage: '[--repair]',
  summary:
    'Verify every derived column and count in one snapshot; --repair ranks and counts the feeds and the stored bytes again.',
  async run(args, { print }) {
    const { repair } = readArguments(args, { positions: [], options: [], flags: ['repair'] });
    await withDomain(async (context) => {
      const feeds = context.get(FeedCountsService);
      const quotas = context.get(QuotasService);
      const verify = (): Promise<readonly Finding[]> =>
        context.get(Database).snapshot((tx) => findAll(tx, feeds, quotas));
      let findings = await verify();
      if (repair && findings.some((finding) => finding.differences > 0)) {
        await context.get(Database).snapshot((tx) => context.get(RanksService).rankAll(tx));
        await feeds.recountAll();
        await quotas.recountAll();
        print('Ranked and counted all feeds and stored bytes again.');
        findings = await verify();
      }
      for (const { what, differences } of findings) print(`${String(differences).padStart(8)}  ${what}`);
      const total = findings.reduce((sum, finding) => sum + finding.differences, 0);
      if (total > 0)
        throw new CommandFailure(`${total === 1 ? '1 difference' : `${total} differences`} found.`);
      print('No difference found.');
    });
  },
};

/** Runs all queries in one snapshot, so that concurrent writes make no difference. */
async function findAll(
  tx: Transaction,
  feeds: FeedCountsService,
  quotas: QuotasService,
): Promise<readonly Finding[]> {
  await tx.query('set transaction read only');
  const findings: Finding[] = [];
  for (const { what, differing } of COUNT_PROOFS) {
    const [row] = await tx.query<{ differences: number }>(
      `select count(*)::integer as differences from (${differing}) as differing`,
    );
    findings.push({ what, differences: row?.differences ?? 0 });
  }
  const { totals, blocks, buckets } = await feeds.countDifferences(tx);
  const stored = await quotas.countDifferences(tx);
  return [
    ...findings,
    { what: 'feed_totals, with feed_deltas, are the items of each feed', differences: totals },
    { what: 'feed_blocks, also of each dense feed', differences: blocks },
    { what: 'feed_buckets, also of all posts and all media', differences: buckets },
    {
      what: 'storage_usage, with storage_deltas, is the media of each account',
      differences: stored.accounts,
    },
    { what: 'storage_kinds, with storage_deltas, is the media of each kind', differences: stored.kinds },
    { what: 'storage_total, with storage_deltas, is all media', differences: stored.total },
  ];
}
