import { useDomain } from '@vitrine/testing';
import type { Caller } from '../../base/access/caller';
import { PostWorld } from '../../../test/post-world';
import { ForbiddenError, NotFoundError, UnavailableError } from '../../base/errors/domain-error';
import { MediaLocks } from '../../media/items/media-locks.service';
import { PostEditingService } from './post-editing.service';
import { PostsModule } from './posts.module';
import { WholePostLock } from './whole-post-lock';

describe('WholePostLock', () => {
  const domain = useDomain([PostsModule]);
  const world = new PostWorld(domain);
  let lock: WholePostLock;
  let owner: Caller;
  let slug: string;
  let mediaIds: number[];

  beforeAll(() => {
    lock = domain.get(WholePostLock);
  });
  beforeEach(async () => {
    await world.clear();
    owner = await world.createUser();
    mediaIds = (await world.createManyMedia(owner, 2)).map(({ id }) => id);
    ({ slug } = await domain.get(PostEditingService).create(owner, { mediaIds }));
  });
  afterEach(() => jest.restoreAllMocks());

  /**
   * Lets another transaction add a media item to the post each time before the post's media are locked, `times`
   * times.
   */
  const addMediaMeanwhile = (times: number): void => {
    const media = domain.get(MediaLocks);
    const lockAll = media.lockAll.bind(media);
    let left = times;
    let adding = false;
    jest.spyOn(media, 'lockAll').mockImplementation(async (tx, ids) => {
      if (!adding && left > 0) {
        left--;
        adding = true;
        const added = await world.createMedia(owner);
        await domain.get(PostEditingService).addMedia(slug, owner, [added.id]);
        mediaIds.push(added.id);
        adding = false;
      }
      return lockAll(tx, ids);
    });
  };
  const idsOfWholePost = () => lock.run({ slug }, {}, (_, whole) => Promise.resolve(whole.mediaIds));

  it('passes the post and all its media, in the order of the ids', async () => {
    expect(await idsOfWholePost()).toEqual(mediaIds);
  });

  it('starts again if a media item was added while the media were being locked', async () => {
    addMediaMeanwhile(4);
    expect(await idsOfWholePost()).toEqual(mediaIds);
    expect(mediaIds).toHaveLength(6);
  });

  it('throws a retryable error after five attempts and does no work', async () => {
    addMediaMeanwhile(Infinity);
    const work = jest.fn();
    const error: unknown = await lock.run({ slug }, {}, work).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnavailableError);
    expect((error as UnavailableError).retryAfterSeconds).toBe(1);
    expect(mediaIds).toHaveLength(7);
    expect(work).not.toHaveBeenCalled();
  });

  it('throws NotFoundError for an unknown post, and what assertAllowed throws', async () => {
    const refuse = () => {
      throw new ForbiddenError();
    };
    await expect(lock.run({ id: 1_000_000 }, {}, jest.fn())).rejects.toThrow(NotFoundError);
    await expect(lock.run({ slug }, { assertAllowed: refuse }, jest.fn())).rejects.toThrow(ForbiddenError);
  });

  it('locks the other posts of the media too if asked to', async () => {
    const other = await domain.get(PostEditingService).create(owner, { mediaIds: [mediaIds[0]!] });
    const isFree = async () =>
      (
        await domain.dataSource.query<unknown[]>(
          'select from posts where id = $1 for no key update skip locked',
          [other.id],
        )
      ).length === 1;
    expect(await lock.run({ slug }, { alsoOtherPosts: true }, isFree)).toBe(false);
    expect(await isFree()).toBe(true);
  });
});
