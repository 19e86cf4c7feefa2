import fc from 'fast-check';
import type { ClassScores } from '../decisions/decision.types';
import { APPROVED_BELOW, judge, NSFW_FROM, unsafeProbability, worstPicture } from './moderation.rules';

/** Five probabilities that add up to 1, like the output of a softmax. */
const anyScores: fc.Arbitrary<ClassScores> = fc
  .tuple(...Array.from({ length: 5 }, () => fc.double({ min: 0, max: 1, noNaN: true })))
  .map((weights) => {
    const sum = weights.reduce((total, weight) => total + weight, 0) || 1;
    const [drawing = 0, hentai = 0, neutral = 0, porn = 0, sexy = 0] = weights.map((weight) => weight / sum);
    return { drawing, hentai, neutral, porn, sexy };
  });

const withPorn = (porn: number): ClassScores => ({ drawing: 0, hentai: 0, neutral: 1 - porn, porn, sexy: 0 });

describe('unsafeProbability', () => {
  it('is between 0 and 1 and rises with each unsafe class', () => {
    fc.assert(
      fc.property(anyScores, fc.constantFrom('porn', 'hentai', 'sexy'), (scores, unsafeClass) => {
        const unsafe = unsafeProbability(scores);
        expect(unsafe).toBeGreaterThanOrEqual(0);
        expect(unsafe).toBeLessThanOrEqual(1);
        const worse = { ...scores, [unsafeClass]: scores[unsafeClass] + 0.1 };
        expect(unsafeProbability(worse)).toBeGreaterThanOrEqual(unsafe);
      }),
    );
  });

  it('is never nsfw for a picture that is only suggestive', () => {
    const scores = { drawing: 0, hentai: 0, neutral: 0, porn: 0, sexy: 1 };
    expect(judge({ ban: null, pictures: [scores] }).status).toBe('pending');
  });

  it('does not approve a nude whose score is split between suggestive and pornographic', () => {
    const scores = { drawing: 0, hentai: 0, neutral: 0.05, porn: 0.35, sexy: 0.6 };
    expect(judge({ ban: null, pictures: [scores] }).status).toBe('pending');
  });
});

describe('judge', () => {
  // Promise [moderation]: Automation approves a media item, leaves it to a moderator, or marks it as nsfw, by
  // two fixed thresholds.
  it.each([
    [0, 'approved', 'classifier_safe'],
    [APPROVED_BELOW - 1e-9, 'approved', 'classifier_safe'],
    [APPROVED_BELOW, 'pending', 'classifier_unsure'],
    [NSFW_FROM - 1e-9, 'pending', 'classifier_unsure'],
    [NSFW_FROM, 'nsfw', 'classifier_unsafe'],
    [1, 'nsfw', 'classifier_unsafe'],
  ])('at an unsafe probability of %d says %s', (unsafe, status, reason) => {
    expect(judge({ ban: null, pictures: [withPorn(unsafe)] })).toMatchObject({ status, reason });
  });

  // Promise [moderation]: The worst picture of a file decides.
  it('uses the worst picture at any position', () => {
    fc.assert(
      fc.property(fc.array(anyScores, { minLength: 1, maxLength: 12 }), fc.nat(), (pictures, seed) => {
        const worst = Math.max(...pictures.map(unsafeProbability));
        const judged = worstPicture(pictures);
        expect(judged?.unsafe).toBe(worst);
        expect(judged?.classes).toBe(pictures[judged?.worst_frame ?? -1]);
        const turned = [
          ...pictures.slice(seed % pictures.length),
          ...pictures.slice(0, seed % pictures.length),
        ];
        expect(judge({ ban: null, pictures: turned }).status).toBe(judge({ ban: null, pictures }).status);
      }),
    );
  });

  // Promise [moderation]: The classifier never rejects.
  it('never rejects because of the classifier, and a further picture never makes the result milder', () => {
    fc.assert(
      fc.property(fc.array(anyScores, { maxLength: 12 }), anyScores, (pictures, another) => {
        const order = ['approved', 'pending', 'nsfw'];
        const before = order.indexOf(judge({ ban: null, pictures }).status);
        const after = order.indexOf(judge({ ban: null, pictures: [...pictures, another] }).status);
        expect(before).not.toBe(-1);
        if (pictures.length > 0) expect(after).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it('leaves media without valid scores to the moderators', () => {
    const unusable = { drawing: NaN, hentai: NaN, neutral: NaN, porn: NaN, sexy: NaN };
    expect(judge({ ban: null, pictures: [] })).toMatchObject({
      status: 'pending',
      reason: 'classifier_failed',
    });
    expect(judge({ ban: null, pictures: [unusable] }).status).toBe('pending');
    expect(judge({ ban: null, pictures: [unusable, withPorn(0)] }).status).toBe('pending');
    expect(judge({ ban: null, pictures: [withPorn(0), unusable] }).status).toBe('pending');
  });

  it('leaves a file that was not fully compared to the moderators, unless it is banned', () => {
    const ban = { bannedHashId: 7, distance: 3 };
    for (const unsafe of [0, 1]) {
      expect(judge({ ban: null, pictures: [withPorn(unsafe)], fullySeen: false })).toMatchObject({
        status: 'pending',
        reason: 'partly_seen',
      });
    }
    expect(judge({ ban, pictures: [], fullySeen: false })).toMatchObject({ reason: 'banned_hash' });
  });

  it('rejects a banned picture for any result of the classifier', () => {
    const ban = { bannedHashId: 7, distance: 3 };
    expect(judge({ ban, pictures: [withPorn(0)] })).toEqual({
      status: 'rejected',
      reason: 'banned_hash',
      scores: ban,
    });
  });
});
