import { useDomain } from '@vitrine/testing';
import type { Caller } from '../../base/access/caller';
import { PostWorld } from '../../../test/post-world';
import { MediaEditing } from '../../media/items/media-editing.service';
import { PostEditingService } from '../posts/post-editing.service';
import { PostsModule } from '../posts/posts.module';
import { PostsService } from '../posts/posts.service';

describe('what a change of a post does to ranks and tags', () => {
  const domain = useDomain([PostsModule]);
  const world = new PostWorld(domain);
  let owner: Caller;
  let posts: PostEditingService;

  beforeAll(async () => {
    posts = domain.get(PostEditingService);
    owner = await world.createUser();
  });

  /** Empties the queue of items to be ranked; returns the items in it. */
  const takeQueue = async (): Promise<string[]> => {
    const rows: { item: string }[] = await domain.dataSource.query(
      `with taken as (delete from rank_changes returning post_id, media_id)
       select distinct coalesce('post ' || post_id, 'media ' || media_id) as item from taken order by 1`,
    );
    return rows.map(({ item }) => item);
  };
  /** The listings of items in the tables that follow them. */
  const followers = (): Promise<unknown> =>
    domain.dataSource.query(
      `select 'post rank' as of, listing from post_ranks union all select 'media rank', listing from media_ranks
       union all select 'post tag', listing from post_tags union all select 'media tag', listing from media_tags order by 1`,
    );

  it('queues each item whose score or tags may be out of date, and copies listings at once', async () => {
    const [media, other] = [await world.createMedia(owner), await world.createMedia(owner)];
    await domain.get(MediaEditing).update(media.slug, owner, { tags: ['sky'] });
    expect(await takeQueue()).toEqual([`media ${media.id}`]);
    const { id, slug } = await posts.create(owner, { mediaIds: [media.id], tags: ['sky'] });
    expect(await takeQueue()).toEqual([`media ${media.id}`, `post ${id}`]);
    await posts.addMedia(slug, owner, [other.id]);
    expect(await takeQueue()).toEqual([`media ${other.id}`]);
    await posts.removeMedia(slug, owner, other.slug);
    expect(await takeQueue()).toEqual([`media ${other.id}`]);
    await posts.update(slug, owner, { tags: ['sky', 'sea'] });
    expect(await takeQueue()).toEqual([`post ${id}`]);
    await domain.get(PostsService).vote(slug, owner, { accessKey: null, value: 1 });
    expect(await takeQueue()).toEqual([`post ${id}`]);

    await posts.update(slug, owner, { visibility: 'hidden' });
    expect(await takeQueue()).toEqual([`media ${media.id}`, `post ${id}`]);
    expect(await followers()).toEqual([
      { of: 'media tag', listing: 'unlisted' },
      { of: 'post tag', listing: 'unlisted' },
      { of: 'post tag', listing: 'unlisted' },
    ]);
    await posts.update(slug, owner, { visibility: 'public' });
    expect(await followers()).toEqual([
      { of: 'media rank', listing: 'safe' },
      { of: 'media tag', listing: 'safe' },
      { of: 'post rank', listing: 'safe' },
      { of: 'post tag', listing: 'safe' },
      { of: 'post tag', listing: 'safe' },
    ]);
    await takeQueue();
    await posts.remove(slug, owner);
    expect(await takeQueue()).toEqual([`media ${media.id}`]);
  });
});
