import type { FeedQuery } from '@vitrine/contracts/api';
import { useDomain } from '@vitrine/testing';
import { FeedCountsService } from '../../posts/feeds/feed-counts.service';
import { FeedsModule } from '../../posts/feeds/feeds.module';
import { TagsModule } from '../../posts/tags/tags.module';
import { TagsService } from '../../posts/tags/tags.service';
import { ProfilesModule } from '../../accounts/profiles/profiles.module';
import { ProfilesService } from '../../accounts/profiles/profiles.service';
import { countStatements } from '../../../test/count-statements';
import { MediaModule } from './media.module';
import { MediaReading } from './media-reading.service';

describe('what lists of media cost', () => {
  const domain = useDomain([MediaModule, FeedsModule, TagsModule, ProfilesModule]);
  let service: MediaReading;

  beforeAll(async () => {
    service = domain.get(MediaReading);
    const { dataSource } = domain;
    await dataSource.query(`insert into users (username) select 'user_' || n from generate_series(1, 100) n`);
    await dataSource.query(
      `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256,
         title, moderation_status, listing)
       select 'm' || lpad(to_hex(n), 6, '0'), (select min(id) from users) + n % 100, 'image', 'jpeg', 'image/jpeg', 'jpg', 1, 1, 1,
              sha256('a'), sha256('b'), 'Word', 'approved', 'safe'
       from generate_series(1, 5000) n`,
    );
    await dataSource.query(`insert into tags (name) values ('common')`);
    await dataSource.query(`insert into media_tags select media.id, tags.id, 'safe' from media, tags`);
    await domain.get(FeedCountsService).foldAll();
  });

  it.each<[string, Partial<FeedQuery>]>([
    ['all', {}],
    ['a tag', { tag: 'common' }],
    ['an account', { username: 'user_7' }],
    ['words', { q: 'word' }],
    ['a random order', { sort: 'random', seed: 5 }],
    ['a period', { period: 'week' }],
    ['a deep page', { page: 15 }],
    ['everything at once', { tag: 'common', username: 'user_7', q: 'word', period: 'day', sort: 'random' }],
  ])('takes as many statements for 250 as for one: %s', async (_, query) => {
    const cost = (limit: number) =>
      countStatements(async () => {
        const page = await service.findFeedPage({ page: 1, ...query, limit }, { viewer: null });
        expect(page.items.length).toBeGreaterThan(0);
      });
    const one = await cost(1);
    expect(await cost(250)).toBeLessThanOrEqual(one + 1);
    expect(one).toBeLessThanOrEqual(6);
  });

  it('takes one statement for a media item, and a few for a profile and a page of tags', async () => {
    expect(await countStatements(() => service.findForViewer('m000001', null))).toBe(1);
    const viewer = { userId: 1, role: 'user' as const };
    expect(await countStatements(() => domain.get(ProfilesService).find('user_7', viewer))).toBe(5);
    const query = { page: 1, limit: 50 };
    expect(
      await countStatements(() => service.findProfilePage('user_7', query, { viewer: null })),
    ).toBeLessThanOrEqual(4);
    expect(await countStatements(() => domain.get(TagsService).findPage({ page: 1, limit: 250 }))).toBe(2);
  });
});
