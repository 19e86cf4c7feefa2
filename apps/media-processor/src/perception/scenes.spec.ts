import { seededRandom } from '@vitrine/testing';
import { chooseFrames, seededNumbers } from './frame-choice';
import type { Luma } from './pdq';
import { MIN_SCENE_SECONDS, SCENE_EDGE, SceneCollector } from './scenes';

/** A picture of coarse noise, different for each seed. */
function picture(seed: number): Luma {
  const random = seededRandom(seed);
  const cells = Float32Array.from({ length: 256 }, () => random() * 255);
  const data = Float32Array.from({ length: SCENE_EDGE * SCENE_EDGE }, (_, at) => {
    const [x, y] = [at % SCENE_EDGE, Math.floor(at / SCENE_EDGE)];
    return cells[Math.floor(y / 8) * 16 + Math.floor(x / 8)] ?? 0;
  });
  return { data, width: SCENE_EDGE, height: SCENE_EDGE };
}

/** Far fewer than in production, so that a short test reaches them. */
const LIMITS = { lasting: 20, withBrief: 30, candidates: 80 };

/** Plays pictures, each for the given seconds. */
function play(pictures: readonly (readonly [Luma, number])[]): SceneCollector {
  const scenes = new SceneCollector(LIMITS);
  let at = 0;
  for (const [frame, [luma, shown]] of pictures.entries()) {
    scenes.add(luma, { frame, at, shown });
    at += shown;
  }
  return scenes;
}

describe('SceneCollector', () => {
  it('hashes each scene once, the longest first, however often it comes back', () => {
    const [a, b, c] = [picture(1), picture(2), picture(3)];
    const { hashes, longest, firsts, complete } = play([
      ...([
        [a, 1],
        [b, 0.5],
        [a, 1],
        [c, 1.5],
        [b, 0.1],
      ] as const),
    ]).seen();
    expect(hashes.map(({ at }) => at)).toEqual([0, 2.5, 1]);
    expect({ longest, firsts, complete }).toEqual({ longest: 0, firsts: [0, 1, 3], complete: true });
  });

  it('hashes a scene of single frames scattered among more scenes than are remembered', () => {
    const banned = picture(0);
    const seconds = 1 / 60;
    const frames = Array.from(
      { length: 200 },
      (_, index) => [index % 10 === 7 ? banned : picture(index + 1), seconds] as const,
    );
    const { hashes, complete } = play(frames).seen();
    const [alone] = play([[banned, 1]]).seen().hashes;
    expect(hashes[0]?.pdq).toBe(alone?.pdq);
    expect(hashes.length).toBeLessThanOrEqual(LIMITS.withBrief);
    expect(complete).toBe(true);
  });

  it('reports an incomplete result if more scenes last than it keeps', () => {
    const frames = Array.from(
      { length: LIMITS.lasting + 1 },
      (_, index) => [picture(index), MIN_SCENE_SECONDS] as const,
    );
    const { hashes, complete } = play(frames).seen();
    expect(hashes).toHaveLength(LIMITS.lasting);
    expect(complete).toBe(false);
    expect(play(frames.slice(1)).seen().complete).toBe(true);
  });
});

describe('chooseFrames', () => {
  const many = {
    seconds: Array(1000).fill(0.04),
    firsts: Array.from({ length: 1000 }, (_, at) => at),
    longest: 500,
  };

  it('chooses the first frame, the longest scene, and others that depend on the seed', () => {
    const choices = ['a', 'b', 'c'].map((seed) => chooseFrames(many, 12, seededNumbers(seed)));
    for (const chosen of choices) {
      expect(chosen.length).toBeLessThanOrEqual(12);
      expect(chosen.length).toBeGreaterThanOrEqual(10);
      expect(chosen).toEqual(expect.arrayContaining([0, 500]));
    }
    expect(choices[0]).toEqual(chooseFrames(many, 12, seededNumbers('a')));
    expect(choices[0]).not.toEqual(choices[1]);
    expect(choices[1]).not.toEqual(choices[2]);
  });

  it('spreads the choice over the time on the screen, not over the number of frames', () => {
    // One of 50 frames is shown for 99 % of the time.
    const seconds = Array.from({ length: 50 }, (_, frame) => (frame === 33 ? 99 : 1 / 49));
    const firsts = seconds.map((_, frame) => frame);
    for (const seed of ['a', 'b', 'c']) {
      expect(chooseFrames({ seconds, firsts, longest: 0 }, 12, seededNumbers(seed))).toContain(33);
    }
  });

  it('chooses every scene if they are few, even if one frame is shown for hours', () => {
    const seconds = [0.1, 5, 3, 36_000, 1];
    expect(chooseFrames({ seconds, firsts: [0, 1, 2, 3, 4], longest: 3 }, 12, seededNumbers('a'))).toEqual([
      0, 1, 2, 3, 4,
    ]);
  });
});
