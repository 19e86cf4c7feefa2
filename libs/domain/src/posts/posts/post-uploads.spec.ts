import { useDomain } from '@vitrine/testing';
import type { Caller } from '../../base/access/caller';
import { newMedia } from '../../../test/new-media';
import { PostWorld } from '../../../test/post-world';
import {
  InvalidFieldsError,
  TooManyRequestsError,
  UnauthenticatedError,
} from '../../base/errors/domain-error';
import { PostEditingService } from './post-editing.service';
import { PostsModule } from './posts.module';

describe('createFromUpload', () => {
  const domain = useDomain([PostsModule]);
  const world = new PostWorld(domain);
  let service: PostEditingService;
  let owner: Caller;

  beforeAll(() => {
    service = domain.get(PostEditingService);
  });
  beforeEach(async () => {
    await domain.dataSource.query('truncate users, media, posts, outbox, upload_counts, tags cascade');
    owner = await world.createUser();
  });
  afterEach(async () => expect(await world.findWrongDerivations()).toEqual([]));

  const quota = (filesPerDay = 1000) => ({ subject: `user:${owner.userId}`, filesPerDay });
  const count = async (table: string): Promise<number> =>
    Number((await domain.dataSource.query(`select count(*) from ${table}`))[0].count);

  // Promise [files]: The media item and its post are stored together or not at all.
  it('commits the media item, the post with its texts and tags, the quota and the events together', async () => {
    const upload = newMedia(owner.userId, { title: 'Harbour', description: 'Fog', tags: ['sea'] });
    const { media, post } = await service.createFromUpload(owner, upload, quota(), {
      visibility: 'private',
      isNsfw: true,
    });
    expect(media).toMatchObject({ slug: upload.slug, title: 'Harbour', tags: ['sea'] });
    expect(post).toMatchObject({ visibility: 'private', accessKey: expect.stringMatching(/^\w{32}$/) });
    expect(await world.mediaOf(post.id)).toEqual([media.id]);
    expect(await world.post(post.id)).toMatchObject({
      user_id: owner.userId,
      title: 'Harbour',
      description: 'Fog',
      tags: ['sea'],
      owner_nsfw: true,
      moderation_status: 'nsfw',
      media_count: 1,
    });
    expect([await count('post_tags'), await count('media_tags'), await count('upload_counts')]).toEqual([
      1, 1, 1,
    ]);
    expect(await world.events()).toMatchObject([
      { type: 'media.uploaded', data: { media_id: media.id } },
      { type: 'post.created', data: { post_id: post.id, media_ids: [media.id], visibility: 'private' } },
      { type: 'media.processing_requested', data: { media_id: media.id } },
    ]);
  });

  it('commits nothing if the post, the quota or the account refuses', async () => {
    const stranger = await world.createUser();
    const upload = newMedia(owner.userId, { tags: ['sea'] });
    await expect(service.createFromUpload(stranger, upload, quota(), {})).rejects.toThrow(InvalidFieldsError);
    await expect(service.createFromUpload(owner, upload, quota(0), {})).rejects.toThrow(TooManyRequestsError);
    await domain.dataSource.query('update users set deleted_at = now() where id = $1', [owner.userId]);
    await expect(service.createFromUpload(owner, upload, quota(), {})).rejects.toThrow(UnauthenticatedError);
    for (const table of ['media', 'posts', 'outbox', 'upload_counts', 'tags']) {
      expect([table, await count(table)]).toEqual([table, 0]);
    }
  });

  it('tries another slug for the post if its slug is in use, and registers the media item once', async () => {
    const first = await service.createFromUpload(owner, newMedia(owner.userId), quota(), {});
    // The trigger's sequence also counts in transactions that are rolled back.
    await domain.dataSource.query(`
      create sequence tries;
      create function take_slug() returns trigger language plpgsql as $$ begin
        if nextval('tries') = 1 then new.slug := '${first.post.slug}'; end if; return new; end $$;
      create trigger take_slug before insert on posts for each row execute function take_slug()`);
    const second = await service.createFromUpload(owner, newMedia(owner.userId), quota(), {});
    expect(second.post.slug).not.toBe(first.post.slug);
    expect([await count('media'), await count('posts')]).toEqual([2, 2]);
    expect((await domain.dataSource.query('select last_value from tries'))[0].last_value).toBe(2);
  });
});
