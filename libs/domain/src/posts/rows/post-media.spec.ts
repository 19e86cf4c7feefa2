import { MAX_POSTS_OF_MEDIA } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import type { Caller } from '../../base/access/caller';
import { countStatements } from '../../../test/count-statements';
import { PostWorld } from '../../../test/post-world';
import { MediaDecisions } from '../../media/items/media-decisions.service';
import { MediaDeletion } from '../../media/items/media-deletion.service';
import { MediaEditing } from '../../media/items/media-editing.service';
import { PostEditingService } from '../posts/post-editing.service';
import { PostsModule } from '../posts/posts.module';

describe('a media item in many posts', () => {
  const domain = useDomain([PostsModule]);
  const world = new PostWorld(domain);
  let owner: Caller;
  let posts: PostEditingService;

  beforeAll(async () => {
    posts = domain.get(PostEditingService);
    owner = await world.createUser();
  });
  afterEach(async () => expect(await world.findWrongDerivations()).toEqual([]));

  // Promise [content]: A media item is in at most 50 posts.
  it('is in at most 50 posts', async () => {
    const [full, free] = [await world.createMedia(owner), await world.createMedia(owner)];
    const first = await posts.create(owner, { mediaIds: [full.id] });
    for (let count = 1; count < MAX_POSTS_OF_MEDIA; count++)
      await posts.create(owner, { mediaIds: [full.id] });
    await expect(posts.create(owner, { mediaIds: [free.id, full.id] })).rejects.toMatchObject({
      errors: { 'media_ids.1': ['The selected media_ids.1 is already in 50 posts.'] },
    });
    const other = await posts.create(owner, { mediaIds: [free.id] });
    const addToOther = (): Promise<void> => posts.addMedia(other.slug, owner, [full.id]);
    await expect(addToOther()).rejects.toMatchObject({
      errors: { 'media_ids.0': ['The selected media_ids.0 is already in 50 posts.'] },
    });
    await posts.remove(first.slug, owner);
    await addToOther();
  });

  it('is decided on, changed and deleted with as many statements for fifty posts as for one', async () => {
    const statements = async (count: number): Promise<readonly number[]> => {
      const { id, slug } = await world.createMedia(owner);
      for (let made = 0; made < count; made++) await posts.create(owner, { mediaIds: [id] });
      return [
        await countStatements(() =>
          domain
            .get(Database)
            .transaction((tx) => domain.get(MediaDecisions).changeModerationStatus(tx, id, 'nsfw')),
        ),
        await countStatements(() => domain.get(MediaEditing).update(slug, owner, { title: 'Harbour' })),
        await countStatements(() => domain.get(MediaDeletion).remove(slug, owner)),
      ];
    };
    expect(await statements(50)).toEqual(await statements(1));
  });
});
