import { MAX_COLLECTIONS } from '@vitrine/contracts';
import { useDomain, untilBlocked } from '@vitrine/testing';
import type { Caller } from '../../base/access/caller';
import { insertCaller } from '../../../test/insert-caller';
import { CollectionsModule } from './collections.module';
import { CollectionsService } from './collections.service';

describe('CollectionsService', () => {
  const domain = useDomain([CollectionsModule]);
  let service: CollectionsService;
  beforeAll(() => {
    service = domain.get(CollectionsService);
  });
  beforeEach(() => domain.dataSource.query('truncate users, posts cascade'));

  const createUser = (name: string): Promise<Caller> => insertCaller(domain.dataSource, 'user', name);
  const publish = async (slug: string, userId: number, more = "'public', 'safe', null"): Promise<void> => {
    await domain.dataSource.query(
      `insert into posts (slug, user_id, visibility, listing, access_key, moderation_status)
       values ($1, $2, ${more}, 'approved')`,
      [slug, userId],
    );
  };
  const beside = async (slug: string, post: string, viewer: Caller | null, nsfw = false) => {
    const { previous, next } = await service.findNeighbours(slug, post, { nsfw }, { viewer });
    return [previous?.post.slug, next?.post.slug];
  };
  const slugs = async (slug: string, viewer: Caller | null, nsfw = false): Promise<string[]> => {
    const { items } = await service.findPosts(slug, viewer, { page: 1, limit: 10, nsfw });
    const shown = items.map(({ post }) => post.slug);
    for (const [at, post] of shown.entries())
      expect(await beside(slug, post, viewer, nsfw)).toEqual([shown[at - 1], shown[at + 1]]);
    return shown;
  };

  it('keeps saved posts, the last saved first, once each', async () => {
    const [ada, bob] = [await createUser('ada'), await createUser('bob')];
    for (const slug of ['post001', 'post002']) {
      await publish(slug, bob.userId);
      await service.addPost('saved', ada, slug);
    }
    await service.addPost('saved', ada, 'post001');
    expect(await slugs('saved', ada)).toEqual(['post002', 'post001']);
    const [saved] = await service.list(ada, 'post001');
    expect(saved).toMatchObject({ collection: { name: null, postCount: null }, contains: true });
    expect(await service.list(ada)).toMatchObject([{ collection: { postCount: 2 } }]);
    await service.removePost('saved', ada, 'post001');
    expect(await slugs('saved', ada)).toEqual(['post002']);
  });

  it('shows a hidden collection to everyone who knows it, without what only its owner may know of', async () => {
    const [ada, bob] = [await createUser('ada'), await createUser('bob')];
    const { collection } = await service.create(ada, { name: 'Fog', visibility: 'private' });
    await publish('public1', bob.userId);
    await publish('hidden1', bob.userId, "'hidden', 'unlisted', null");
    // A moderator approved it, but it holds adult media.
    await publish('adult01', bob.userId, "'public', 'nsfw', null");
    for (const slug of ['public1', 'adult01', 'hidden1']) await service.addPost(collection.slug, ada, slug);
    await expect(service.find(collection.slug, bob)).rejects.toMatchObject({ code: 'not_found' });
    expect(await beside(collection.slug, 'adult01', bob, true)).toEqual([undefined, undefined]);
    await Promise.all([
      service.update(collection.slug, ada, { visibility: 'hidden' }),
      service.update(collection.slug, ada, { name: 'Mist' }),
    ]);
    expect((await service.find(collection.slug, bob)).collection.name).toBe('Mist');
    expect(await slugs(collection.slug, ada)).toEqual(['hidden1', 'public1']);
    for (const viewer of [await createUser('eve'), null])
      expect(await slugs(collection.slug, viewer)).toEqual(['public1']);
    expect(await slugs(collection.slug, null, true)).toEqual(['adult01', 'public1']);
    expect(await beside(collection.slug, 'hidden1', null)).toEqual([undefined, undefined]);
    await expect(service.addPost(collection.slug, bob, 'public1')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await domain.dataSource.query('insert into blocks (blocker_id, blocked_id) values ($1, $2)', [
      ada.userId,
      bob.userId,
    ]);
    await expect(service.find(collection.slug, bob)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('forgets what can no longer be seen, and takes no private post of others', async () => {
    const [ada, bob] = [await createUser('ada'), await createUser('bob')];
    await publish('post001', bob.userId);
    await service.addPost('saved', ada, 'post001');
    const key = 'k'.repeat(32);
    await domain.dataSource.query(
      `update posts set visibility = 'private', listing = 'unlisted', access_key = $1`,
      [key],
    );
    expect(await slugs('saved', ada)).toEqual([]);
    await expect(service.addPost('saved', ada, 'post001')).rejects.toMatchObject({ code: 'not_found' });
    await publish('post002', bob.userId);
    const deletion = domain.dataSource.createQueryRunner();
    await deletion.startTransaction();
    await deletion.query('delete from posts');
    const saving = service.addPost('saved', ada, 'post002');
    await untilBlocked(domain.dataSource);
    await deletion.commitTransaction();
    await deletion.release();
    await saving;
    expect(await service.find('saved', ada)).toMatchObject({ collection: { postCount: 0 } });
  });

  it('has bounds that simultaneous requests cannot pass', async () => {
    const ada = await createUser('ada');
    await domain.dataSource.query(
      `insert into collections (user_id, slug, name)
       select $1, 'c' || lpad(n::text, 6, '0'), 'x' from generate_series(1, $2::integer) n`,
      [ada.userId, MAX_COLLECTIONS - 1],
    );
    const made = await Promise.allSettled(
      Array.from({ length: 4 }, () => service.create(ada, { name: 'One more', visibility: 'private' })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await domain.dataSource.query(
      `with many as (
         insert into posts (slug, listing) select 'm' || lpad(n::text, 6, '0'), 'safe' from generate_series(1, 10000) n
         returning id
       )
       insert into collection_posts (collection_id, post_id)
       select (select min(id) from collections), id from many`,
    );
    await publish('toomany', ada.userId);
    await expect(service.addPost('c000001', ada, 'toomany')).rejects.toMatchObject({
      code: 'invalid_fields',
    });
    await domain.dataSource.query(
      `update posts set listing = 'nsfw' where slug between 'm000002' and 'm009999'`,
    );
    expect(await beside('c000001', 'm010000', ada)).toEqual([undefined, 'm000001']);
    while ((await service.eraseCollectionsOf(ada.userId)) > 0);
    expect(await domain.dataSource.query('select 1 from collection_posts')).toEqual([]);
  });
});
