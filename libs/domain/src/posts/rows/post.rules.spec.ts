import {
  MODERATION_STATUSES,
  type ModerationStatus,
  type Restriction,
  VISIBILITIES,
  type Visibility,
  type Ruling,
} from '@vitrine/contracts';
import fc from 'fast-check';
import { owns, type Viewer } from '../../base/access/viewer';
import {
  accessKeyAfter,
  canSeePost,
  canTakePart,
  derivePostListing,
  derivePostStatus,
  isEmptyPost,
  isListedFor,
  isPermutation,
  judgeRevision,
  type PostAccess,
  type PostStatusFacts,
} from './post.rules';

const facts = (overrides: Partial<PostStatusFacts>): PostStatusFacts => ({
  mediaStatuses: ['approved'],
  ownerNsfw: false,
  moderatorStatus: null,
  ...overrides,
});

const anyFacts = fc.record({
  mediaStatuses: fc.array(fc.constantFrom(...MODERATION_STATUSES), { maxLength: 8 }),
  ownerNsfw: fc.boolean(),
  moderatorStatus: fc.constantFrom('approved' as const, 'nsfw' as const, 'rejected' as const, null),
});
const undecided = anyFacts.map((all) => ({ ...all, moderatorStatus: null }));

describe('derivePostStatus', () => {
  // Promise [moderation]: The status of a post follows from its media.
  it.each<[ModerationStatus[], ModerationStatus]>([
    [['approved'], 'approved'],
    [['approved', 'nsfw'], 'nsfw'],
    [['approved', 'nsfw', 'pending'], 'pending'],
    [['approved', 'rejected'], 'approved'],
    [['rejected', 'nsfw'], 'nsfw'],
    [['rejected', 'rejected'], 'rejected'],
    [[], 'pending'],
  ])('of media %j is %s', (mediaStatuses, expected) => {
    expect(derivePostStatus(facts({ mediaStatuses }))).toBe(expected);
  });

  // Promise [moderation]: The owner’s `is_nsfw` takes effect at once, and automation doesn’t lower it.
  it('is nsfw at once if the owner set it, except for rejected posts', () => {
    expect(derivePostStatus(facts({ ownerNsfw: true, mediaStatuses: ['pending'] }))).toBe('nsfw');
    expect(derivePostStatus(facts({ ownerNsfw: true, mediaStatuses: ['approved'] }))).toBe('nsfw');
    expect(derivePostStatus(facts({ ownerNsfw: true, mediaStatuses: ['rejected'] }))).toBe('rejected');
  });

  // Promise [moderation]: A moderator’s rejection of a post overrides everything else.
  it('is rejected if a moderator rejected the post, whatever else is set', () => {
    fc.assert(
      fc.property(
        anyFacts,
        (all) => derivePostStatus({ ...all, moderatorStatus: 'rejected' }) === 'rejected',
      ),
    );
  });

  it('lets the owner raise a moderator’s decision but never lower it', () => {
    expect(derivePostStatus(facts({ moderatorStatus: 'approved', mediaStatuses: ['nsfw'] }))).toBe(
      'approved',
    );
    expect(derivePostStatus(facts({ moderatorStatus: 'approved', ownerNsfw: true }))).toBe('nsfw');
    expect(derivePostStatus(facts({ moderatorStatus: 'nsfw', ownerNsfw: false }))).toBe('nsfw');
  });

  it('is approved only if all media that are not rejected are approved', () => {
    fc.assert(
      fc.property(undecided, (all) => {
        const left = all.mediaStatuses.filter((status) => status !== 'rejected');
        const clean = left.length > 0 && left.every((status) => status === 'approved') && !all.ownerNsfw;
        expect(derivePostStatus(all) === 'approved').toBe(clean);
      }),
    );
  });

  it('does not depend on the order of media, nor on rejected ones among others', () => {
    fc.assert(
      fc.property(undecided, (all) => {
        const turned = { ...all, mediaStatuses: [...all.mediaStatuses].reverse() };
        expect(derivePostStatus(turned)).toBe(derivePostStatus(all));
        if (all.mediaStatuses.some((status) => status !== 'rejected')) {
          const more = { ...all, mediaStatuses: [...all.mediaStatuses, 'rejected' as const] };
          expect(derivePostStatus(more)).toBe(derivePostStatus(all));
        }
      }),
    );
  });
});

describe('derivePostListing', () => {
  const anyListed = fc.record({
    facts: anyFacts,
    visibility: fc.constantFrom(...VISIBILITIES),
    withheld: fc.boolean(),
  });

  it('lists a post only if it is public, not withheld, has visible media and none of them is pending', () => {
    fc.assert(
      fc.property(anyListed, ({ facts: all, visibility, withheld }) => {
        const left = all.mediaStatuses.filter((status) => status !== 'rejected');
        const held = withheld || visibility !== 'public' || left.length === 0 || left.includes('pending');
        const status = derivePostStatus(all);
        const listing = derivePostListing({ ...all, visibility, withheld });
        if (held || status === 'pending' || status === 'rejected') expect(listing).toBe('unlisted');
        else expect(listing).toBe(status === 'approved' && !left.includes('nsfw') ? 'safe' : 'nsfw');
      }),
    );
  });

  it('never lists a post with nsfw media as safe, even if a moderator approved it', () => {
    const approved = facts({ moderatorStatus: 'approved', mediaStatuses: ['approved', 'nsfw'] });
    expect(derivePostStatus(approved)).toBe('approved');
    expect(derivePostListing({ ...approved, visibility: 'public', withheld: false })).toBe('nsfw');
  });

  it('shows adults every post that everyone finds', () => {
    fc.assert(
      fc.property(anyListed, ({ facts: all, visibility, withheld }) => {
        const listing = derivePostListing({ ...all, visibility, withheld });
        if (isListedFor(listing, false)) expect(isListedFor(listing, true)).toBe(true);
        expect(isListedFor(listing, true)).toBe(listing !== 'unlisted');
      }),
    );
  });
});

describe('who sees a post', () => {
  const KEY = 'k'.repeat(32);
  const OWNER = 7;
  const viewers: Record<string, Viewer> = {
    anonymous: null,
    another: { userId: 8, role: 'user' },
    owner: { userId: OWNER, role: 'user' },
    moderator: { userId: 9, role: 'moderator' },
    admin: { userId: 10, role: 'admin' },
  };
  const anyPost: fc.Arbitrary<PostAccess> = fc
    .record({
      userId: fc.constantFrom(OWNER, null),
      visibility: fc.constantFrom(...VISIBILITIES),
      moderationStatus: fc.constantFrom(...MODERATION_STATUSES),
      empty: fc.boolean(),
      ownerRestriction: fc.constantFrom(null, 'limited', 'suspended'),
    })
    .map((post) => ({ ...post, accessKey: post.visibility === 'private' ? KEY : null }));
  const anyViewer = fc.constantFrom(...Object.values(viewers));
  const anyName = fc.constantFrom('slug' as const, 'id' as const);
  const anyKey = fc.constantFrom(null, '', KEY, `${KEY}k`, KEY.slice(1), 'x'.repeat(32));

  it.each<[Visibility, ModerationStatus, string | null, readonly string[], Restriction | null]>([
    ['public', 'approved', null, ['anonymous', 'another', 'owner', 'moderator', 'admin'], null],
    ['public', 'pending', null, ['anonymous', 'another', 'owner', 'moderator', 'admin'], null],
    ['hidden', 'nsfw', null, ['anonymous', 'another', 'owner', 'moderator', 'admin'], null],
    ['public', 'rejected', null, ['owner', 'moderator', 'admin'], null],
    ['private', 'approved', null, ['owner', 'moderator', 'admin'], null],
    ['private', 'approved', KEY, ['anonymous', 'another', 'owner', 'moderator', 'admin'], null],
    ['private', 'rejected', KEY, ['owner', 'moderator', 'admin'], null],
    ['public', 'approved', null, ['anonymous', 'another', 'owner', 'moderator', 'admin'], 'limited'],
    ['public', 'approved', null, ['owner', 'moderator', 'admin'], 'suspended'],
    ['private', 'approved', KEY, ['owner', 'moderator', 'admin'], 'suspended'],
  ])(
    '%s and %s, with key %s: %j, owner restricted: %s',
    (visibility, moderationStatus, key, expected, restriction) => {
      const accessKey = visibility === 'private' ? KEY : null;
      const post: PostAccess = {
        userId: OWNER,
        visibility,
        moderationStatus,
        accessKey,
        empty: false,
        ownerRestriction: restriction,
      };
      const seeing = Object.entries(viewers).filter(([, viewer]) => canSeePost(post, viewer, key, 'slug'));
      expect(seeing.map(([name]) => name)).toEqual(expected);
    },
  );

  it('requires the key or ownership to take part in a private post', () => {
    fc.assert(
      fc.property(anyPost, anyViewer, anyKey, anyName, (post, viewer, key, name) => {
        const sees = canSeePost(post, viewer, key, name);
        const opens = post.visibility !== 'private' || key === KEY || owns(post, viewer);
        expect(canTakePart(post, viewer, key, name)).toBe(sees && opens);
      }),
    );
  });

  it('a key opens only private posts, and signing in never reduces access', () => {
    fc.assert(
      fc.property(anyPost, anyViewer, anyKey, anyName, (post, viewer, key, name) => {
        if (post.visibility !== 'private') {
          expect(canSeePost(post, viewer, key, name)).toBe(canSeePost(post, viewer, null, name));
        }
        if (canSeePost(post, null, key, name)) expect(canSeePost(post, viewer, key, name)).toBe(true);
      }),
    );
  });

  it('shows a hidden post by its id, and an empty post, to its owner and moderators only', () => {
    fc.assert(
      fc.property(anyPost, anyViewer, anyKey, anyName, (post, viewer, key, name) => {
        const closed = post.empty || (post.visibility === 'hidden' && name === 'id');
        const trusted = owns(post, viewer) || (viewer !== null && viewer.role !== 'user');
        if (closed) expect(canSeePost(post, viewer, key, name)).toBe(trusted);
      }),
    );
  });

  it('a post without an owner has no owner', () => {
    fc.assert(fc.property(anyViewer, (viewer) => !owns({ userId: null }, viewer)));
  });
});

describe('isEmptyPost', () => {
  it.each<[ModerationStatus[], boolean]>([
    [[], true],
    [['rejected', 'rejected'], true],
    [['rejected', 'pending'], false],
    [['nsfw'], false],
  ])('of media %j: %s', (mediaStatuses, expected) => {
    expect(isEmptyPost({ mediaStatuses })).toBe(expected);
  });
});

describe('judgeRevision', () => {
  it.each<[Ruling, number | undefined, number, ReturnType<typeof judgeRevision>]>([
    ['approved', 3, 3, 'covers'],
    ['approved', 2, 3, 'stale'],
    ['rejected', 2, 3, 'stale'],
    ['pending', 4, 3, 'stale'],
    ['approved', undefined, 1, 'covers'],
    ['approved', undefined, 2, 'missing'],
    ['nsfw', undefined, 2, 'missing'],
    ['rejected', undefined, 2, 'covers'],
    ['pending', undefined, 2, 'covers'],
  ])('of %s that names revision %s, of a post at %s: %s', (status, revision, current, expected) => {
    expect(judgeRevision(status, revision, current)).toBe(expected);
  });
});

describe('accessKeyAfter', () => {
  const anyVisibility = fc.constantFrom(...VISIBILITIES);

  it('is set exactly while the post is private, and new each time it becomes private', () => {
    fc.assert(
      fc.property(anyVisibility, fc.array(anyVisibility, { maxLength: 20 }), (first, rest) => {
        let minted = 0;
        const fresh = () => `key ${++minted}`;
        let post = { visibility: first, accessKey: accessKeyAfter(null, first, fresh) };
        for (const visibility of rest) {
          const before = { ...post, minted };
          post = { visibility, accessKey: accessKeyAfter(post, visibility, fresh) };
          expect(post.accessKey !== null).toBe(visibility === 'private');
          const stays = before.visibility === 'private' && visibility === 'private';
          if (stays) expect(post.accessKey).toBe(before.accessKey);
          else if (visibility === 'private') expect(post.accessKey).toBe(`key ${before.minted + 1}`);
        }
      }),
    );
  });

  it('is never a key that a public post still has', () => {
    expect(accessKeyAfter({ visibility: 'public', accessKey: 'old' }, 'private', () => 'new')).toBe('new');
  });
});

describe('isPermutation', () => {
  const anySlugs = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 7 }), { maxLength: 12 });

  it('returns true for every order of the same slugs', () => {
    fc.assert(
      fc.property(
        anySlugs.chain((slugs) =>
          fc.tuple(fc.constant(slugs), fc.shuffledSubarray(slugs, { minLength: slugs.length })),
        ),
        ([slugs, order]) => isPermutation(order, slugs),
      ),
    );
  });

  it('returns false if a slug is missing, added or replaced', () => {
    fc.assert(
      fc.property(anySlugs, fc.nat(), (slugs, at) => {
        const stranger = 'longer than any';
        expect(isPermutation([...slugs, stranger], slugs)).toBe(false);
        if (slugs.length === 0) return;
        const place = at % slugs.length;
        expect(isPermutation(slugs.toSpliced(place, 1), slugs)).toBe(false);
        expect(isPermutation(slugs.with(place, stranger), slugs)).toBe(false);
      }),
    );
  });
});
