import { ScoreMemory } from './score-memory';

const picture = (content: string): Uint8Array => Buffer.from(content);

describe('ScoreMemory', () => {
  let judged: string[];
  const memory = (size: number): ScoreMemory<string> =>
    new ScoreMemory(size, async (bytes) => {
      const content = Buffer.from(bytes).toString();
      judged.push(content);
      if (content === 'broken' && judged.length === 1) throw new Error('not now');
      return `scores of ${content}`;
    });
  beforeEach(() => {
    judged = [];
  });

  it('judges the same bytes once, also while they are being judged', async () => {
    const scores = memory(10);
    const both = await Promise.all([scores.scoresOf(picture('a')), scores.scoresOf(picture('a'))]);
    await expect(scores.scoresOf(picture('b'))).resolves.toBe('scores of b');
    expect([...both, await scores.scoresOf(picture('a'))]).toEqual(Array(3).fill('scores of a'));
    expect(judged).toEqual(['a', 'b']);
  });

  it('forgets the picture that was not asked for for longest', async () => {
    const scores = memory(2);
    for (const content of ['a', 'b', 'a', 'c', 'a', 'b']) await scores.scoresOf(picture(content));
    expect(judged).toEqual(['a', 'b', 'c', 'b']);
  });

  it('judges a picture again after a failure', async () => {
    const scores = memory(2);
    await expect(scores.scoresOf(picture('broken'))).rejects.toThrow('not now');
    await expect(scores.scoresOf(picture('broken'))).resolves.toBe('scores of broken');
  });
});
