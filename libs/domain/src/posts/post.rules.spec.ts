import { MODERATION_STATUSES, type ModerationStatus } from '@vitrine/contracts';
import fc from 'fast-check';
import { derivePostStatus, type PostStatusFacts } from './post.rules';

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

  it('shows the owner’s nsfw at once, but not over rejection', () => {
    expect(derivePostStatus(facts({ ownerNsfw: true, mediaStatuses: ['pending'] }))).toBe('nsfw');
    expect(derivePostStatus(facts({ ownerNsfw: true, mediaStatuses: ['approved'] }))).toBe('nsfw');
    expect(derivePostStatus(facts({ ownerNsfw: true, mediaStatuses: ['rejected'] }))).toBe('rejected');
  });

  it('lets a moderator’s rejection stand against everything', () => {
    fc.assert(
      fc.property(
        anyFacts,
        (all) => derivePostStatus({ ...all, moderatorStatus: 'rejected' }) === 'rejected',
      ),
    );
  });

  it('lets the owner raise a moderator’s decision and never lower it', () => {
    expect(derivePostStatus(facts({ moderatorStatus: 'approved', mediaStatuses: ['nsfw'] }))).toBe(
      'approved',
    );
    expect(derivePostStatus(facts({ moderatorStatus: 'approved', ownerNsfw: true }))).toBe('nsfw');
    expect(derivePostStatus(facts({ moderatorStatus: 'nsfw', ownerNsfw: false }))).toBe('nsfw');
  });

  it('is approved only where nothing left in the post is anything else', () => {
    fc.assert(
      fc.property(undecided, (all) => {
        const left = all.mediaStatuses.filter((status) => status !== 'rejected');
        const clean = left.length > 0 && left.every((status) => status === 'approved') && !all.ownerNsfw;
        expect(derivePostStatus(all) === 'approved').toBe(clean);
      }),
    );
  });

  it('doesn’t depend on the order of media, nor on rejected ones beside others', () => {
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
