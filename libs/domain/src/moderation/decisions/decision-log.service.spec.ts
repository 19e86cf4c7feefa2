import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import { DecisionLogModule } from './decision-log.module';
import { DecisionLog } from './decision-log.service';
import type { DecisionFilter, NewDecision } from './moderation-decision.repository';

describe('DecisionLog', () => {
  const domain = useDomain([DecisionLogModule]);
  let log: DecisionLog;
  let ada: number;

  beforeAll(async () => {
    log = domain.get(DecisionLog);
    const [row]: { id: number }[] = await domain.dataSource.query(
      `insert into users (username, role) values ('ada', 'moderator') returning id`,
    );
    ada = row?.id ?? 0;
    const system = { decidedBy: 'system', decidedByUserId: null, note: null } as const;
    const scores = { unsafe: 0.5, worst_frame: 0, frames: 1, classes: CLASSES };
    const ban = { bannedHashId: 7, distance: 3 };
    await append(media('aaaaaaa', 1, { ...system, to: 'pending', reason: 'classifier_unsure', scores }));
    await append(media('bbbbbbb', 2, { ...system, to: 'rejected', reason: 'banned_hash', scores: ban }));
    await append(media('aaaaaaa', 1, { to: 'approved', note: 'fine' }));
    await append({
      ...media('ccccccc', 1, { to: 'nsfw', reason: 'owner', decidedBy: 'owner' }),
      subject: 'post',
    });
  });

  const CLASSES = { drawing: 0, hentai: 0, neutral: 0.5, porn: 0.5, sexy: 0 };

  const media = (slug: string, subjectId: number, decision: Partial<NewDecision>): NewDecision => ({
    subject: 'media',
    subjectId,
    slug,
    decidedBy: 'moderator',
    decidedByUserId: ada,
    from: 'pending',
    to: 'approved',
    reason: 'moderator',
    scores: null,
    note: null,
    ...decision,
  });
  const append = (decision: NewDecision): Promise<number> =>
    domain.get(Database).transaction((tx) => log.append(tx, decision));
  const slugs = async (filter: DecisionFilter, page = 1, limit = 10): Promise<string[]> =>
    (await log.findPage(filter, page, limit)).items.map(({ slug }) => slug);

  it('returns pages, newest first, with the names of those who decided', async () => {
    expect(await slugs({})).toEqual(['ccccccc', 'aaaaaaa', 'bbbbbbb', 'aaaaaaa']);
    expect(await slugs({}, 2, 3)).toEqual(['aaaaaaa']);
    expect(await slugs({}, 2_147_483_647, 250)).toEqual([]);
    const { items, total } = await log.findPage({}, 1, 3);
    expect(total).toBe(4);
    expect(items).toMatchObject([
      { subject: 'post', slug: 'ccccccc', to: 'nsfw', reason: 'owner', username: 'ada', scores: null },
      { subject: 'media', slug: 'aaaaaaa', from: 'pending', to: 'approved', note: 'fine', username: 'ada' },
      { slug: 'bbbbbbb', scores: { bannedHashId: 7, distance: 3 }, username: null, note: null },
    ]);
  });

  it('shows no name of an owner who has deleted the account, but the name of a deleted moderator', async () => {
    await domain.dataSource.query('update users set deleted_at = now() where id = $1', [ada]);
    const { items } = await log.findPage({}, 1, 3);
    await domain.dataSource.query('update users set deleted_at = null where id = $1', [ada]);
    expect(items).toMatchObject([
      { reason: 'owner', decidedBy: 'owner', username: null },
      { reason: 'moderator', decidedBy: 'moderator', username: 'ada' },
      { decidedBy: 'system', username: null },
    ]);
  });

  it('filters by type and by slug', async () => {
    expect(await slugs({ subject: 'post' })).toEqual(['ccccccc']);
    expect(await slugs({ subject: 'media', slug: 'aaaaaaa' })).toEqual(['aaaaaaa', 'aaaaaaa']);
    expect(await slugs({ subject: 'post', slug: 'aaaaaaa' })).toEqual([]);
    expect((await log.findPage({ slug: 'aaaaaaa' }, 2, 1)).total).toBe(2);
  });

  it('returns the latest decision on a media item', async () => {
    const latest = await domain.get(Database).transaction((tx) => log.findLatestOfMedia(tx, 1));
    expect(latest).toMatchObject({ subject: 'media', to: 'approved', note: 'fine' });
  });
});
