import { useDomain } from '@vitrine/testing';
import type { Caller } from '../../base/access/caller';
import { InvalidFieldsError, StaleRevisionError } from '../../base/errors/domain-error';
import { MediaDecisions } from '../../media/items/media-decisions.service';
import { MediaDeletion } from '../../media/items/media-deletion.service';
import { MediaEditing } from '../../media/items/media-editing.service';
import { PostEditingService } from '../../posts/posts/post-editing.service';
import { PostsService } from '../../posts/posts/posts.service';
import { Database } from '@vitrine/database';
import { PostWorld } from '../../../test/post-world';
import { DecisionLog } from '../decisions/decision-log.service';
import { ReviewModule } from './review.module';
import { QueueService } from './queue.service';
import { RulingsService } from './rulings.service';

describe('rulings on posts and the revisions that they cover', () => {
  const domain = useDomain([ReviewModule]);
  const world = new PostWorld(domain);
  let editing: PostEditingService;
  let rulings: RulingsService;
  let owner: Caller;
  let moderator: Caller;

  beforeAll(() => {
    editing = domain.get(PostEditingService);
    rulings = domain.get(RulingsService);
  });
  beforeEach(async () => {
    await world.clear();
    owner = await world.createUser();
    moderator = await world.createUser('moderator');
  });
  afterEach(async () => expect(await world.findWrongDerivations()).toEqual([]));

  const create = async (count = 2, fields: object = {}) => {
    const media = await world.createManyMedia(owner, count);
    const post = await editing.create(owner, { mediaIds: media.map(({ id }) => id), ...fields });
    return { ...post, media };
  };
  const rule = (slug: string, status: 'approved' | 'nsfw' | 'rejected' | 'pending', revision?: number) =>
    rulings.ruleOnPost(slug, { status, note: 'seen', ban: false, moderator, revision });
  const decide = (mediaId: number, status: 'approved' | 'nsfw' | 'rejected') =>
    domain
      .get(Database)
      .transaction((tx) => domain.get(MediaDecisions).changeModerationStatus(tx, mediaId, status));
  const revisionOf = async (id: number) => (await world.post(id))['revision'];
  const logOf = async (slug: string) =>
    (await domain.get(DecisionLog).findPage({ subject: 'post', slug }, 1, 10)).items.map(
      ({ decidedBy, reason, from, to, revision }) => `${decidedBy} ${reason} ${from} ${to} ${revision}`,
    );
  const queue = async () =>
    (await domain.get(QueueService).findPage(1, 10, moderator)).items.map(
      ({ entry, thing }) => `${thing.type === 'post' ? thing.view.post.slug : ''} ${entry.reasons.join()}`,
    );

  type Post = Awaited<ReturnType<typeof create>>;
  const changes: [string, (post: Post) => Promise<unknown>][] = [
    ['the title', ({ slug }) => editing.update(slug, owner, { title: 'Other' })],
    ['the description', ({ slug }) => editing.update(slug, owner, { description: 'Other' })],
    ['the tags', ({ slug }) => editing.update(slug, owner, { tags: ['other'] })],
    ['media added', async ({ slug }) => editing.addMedia(slug, owner, [(await world.createMedia(owner)).id])],
    ['media taken out', ({ slug, media }) => editing.removeMedia(slug, owner, media[0]!.slug)],
    [
      'media in another order',
      ({ slug, media }) =>
        editing.update(slug, owner, { mediaOrder: media.map((one) => one.slug).reverse() }),
    ],
    ['media deleted', ({ media }) => domain.get(MediaDeletion).remove(media[0]!.slug, owner)],
    [
      'the description of a media item',
      ({ media }) => domain.get(MediaEditing).update(media[0]!.slug, owner, { description: 'Other' }),
    ],
    [
      'the tags of a media item',
      ({ media }) => domain.get(MediaEditing).update(media[0]!.slug, owner, { tags: ['other'] }),
    ],
  ];

  // Promise [moderation]: A change of a post ends a ruling of `approved` or `nsfw`, but not of `rejected`.
  it.each(changes)(
    'a change of %s ends a ruling of nsfw, and the post waits in the queue',
    async (_, change) => {
      const post = await create();
      await rule(post.slug, 'nsfw', 1);
      expect(await queue()).toEqual([]);
      await change(post);
      expect(await world.post(post.id)).toMatchObject({
        revision: 2,
        moderator_status: null,
        moderation_status: 'approved',
        listing: 'safe',
      });
      expect(await logOf(post.slug)).toEqual([
        'system content_changed nsfw approved 2',
        'moderator moderator approved nsfw 1',
      ]);
      expect(await queue()).toEqual([`${post.slug} content_changed`]);
      await rule(post.slug, 'approved', 2);
      expect(await queue()).toEqual([]);
    },
  );

  it.each(changes)('a change of %s keeps a ruling of rejected', async (_, change) => {
    const post = await create();
    await rule(post.slug, 'rejected', 1);
    await change(post);
    expect(await world.post(post.id)).toMatchObject({
      revision: 2,
      moderator_status: 'rejected',
      moderation_status: 'rejected',
      listing: 'unlisted',
    });
    expect(await queue()).toEqual([]);
  });

  it('an upload into an approved post with nsfw media ends the ruling', async () => {
    const post = await create(1);
    await decide(post.media[0]!.id, 'nsfw');
    await rule(post.slug, 'approved', 1);
    expect(await world.post(post.id)).toMatchObject({ moderation_status: 'approved', listing: 'nsfw' });
    await editing.addMedia(post.slug, owner, [(await world.createMedia(owner, 'pending')).id]);
    expect(await world.post(post.id)).toMatchObject({ moderation_status: 'pending', listing: 'unlisted' });
  });

  it('visibility, is_nsfw, votes, decisions on media and unchanged fields start no new revision', async () => {
    const post = await create(2, { title: 'One', description: 'Two', tags: ['sea'] });
    await rule(post.slug, 'approved', 1);
    await editing.update(post.slug, owner, { title: 'One', description: 'Two', tags: ['sea'] });
    await editing.update(post.slug, owner, { mediaOrder: post.media.map(({ slug }) => slug) });
    await editing.update(post.slug, owner, { visibility: 'hidden' });
    await editing.update(post.slug, owner, { visibility: 'public', isNsfw: true });
    await domain.get(PostsService).vote(post.slug, moderator, { accessKey: null, value: 1 });
    await decide(post.media[0]!.id, 'nsfw');
    const title = { title: null, unlisted: true };
    await domain.get(MediaEditing).update(post.media[1]!.slug, owner, title);
    expect(await world.post(post.id)).toMatchObject({ revision: 1, moderator_status: 'approved' });
  });

  it('the owner’s is_nsfw from before the ruling applies again when the ruling ends', async () => {
    const post = await create(1, { isNsfw: true });
    await rule(post.slug, 'approved', 1);
    expect(await world.post(post.id)).toMatchObject({ moderation_status: 'approved' });
    await editing.update(post.slug, owner, { title: 'Other' });
    expect(await world.post(post.id)).toMatchObject({
      moderation_status: 'nsfw',
      owner_nsfw: true,
      nsfw_before_ruling: false,
    });
  });

  // Promise [moderation]: A ruling on a post that has changed since gives 409.
  it('rejects a ruling of any status on another revision, and changes nothing', async () => {
    const post = await create();
    await editing.update(post.slug, owner, { title: 'Other' });
    for (const status of ['approved', 'nsfw', 'rejected', 'pending'] as const) {
      for (const revision of [1, 3]) {
        await expect(rule(post.slug, status, revision)).rejects.toThrow(StaleRevisionError);
      }
    }
    expect(await world.post(post.id)).toMatchObject({
      moderator_status: null,
      moderation_status: 'approved',
    });
    expect(await logOf(post.slug)).toEqual([]);
  });

  it('requires the revision once there is more than one, unless the ruling hides the post', async () => {
    const post = await create();
    await rule(post.slug, 'approved');
    await editing.update(post.slug, owner, { title: 'Other' });
    for (const status of ['approved', 'nsfw'] as const) {
      const refusal = new InvalidFieldsError({ revision: ['The revision field is required.'] });
      await expect(rule(post.slug, status)).rejects.toEqual(refusal);
    }
    await rule(post.slug, 'rejected');
    await rule(post.slug, 'pending');
    expect(await revisionOf(post.id)).toBe(2);
  });

  it('never keeps a ruling of approved on content that changed after it, in any order', async () => {
    for (let round = 0; round < 8; round++) {
      const post = await create(1);
      const [ruled] = await Promise.allSettled([
        rule(post.slug, 'approved', 1),
        editing.update(post.slug, owner, { title: `Other ${round}` }),
      ]);
      expect(await world.post(post.id)).toMatchObject({ revision: 2, moderator_status: null });
      if (ruled?.status === 'rejected') expect(ruled.reason).toBeInstanceOf(StaleRevisionError);
    }
  });

  it('shows the revision to moderators only', async () => {
    const post = await create();
    const shown = async (viewer: Caller | null) => {
      const view = await domain.get(PostsService).findForViewer(
        post.slug,
        { viewer },
        {
          mediaPage: 1,
          perPage: 10,
        },
      );
      return view.reviewed;
    };
    expect([await shown(moderator), await shown(owner), await shown(null)]).toEqual([true, false, false]);
  });
});
