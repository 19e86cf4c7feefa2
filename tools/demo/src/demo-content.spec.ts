import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { describeWithFfmpeg, findFfprobe } from '@vitrine/testing';
import sharp from 'sharp';
import { DEMO_FOLDER, readDemoContent, withoutClips } from './demo-content';
import { planDemo } from './demo-plan';

const MAX_BYTES = 2_000_000;

describeWithFfmpeg('the files of the demo', () => {
  const content = readDemoContent();
  const pictures = content.posts.flatMap((post) => post.pictures);

  it('are those that site.json names, and smaller than 2 MB together', () => {
    const files = readdirSync(DEMO_FOLDER, { recursive: true, encoding: 'utf8' });
    expect(files.sort()).toEqual(
      [
        ...['avatars', 'pictures', 'site.json'],
        ...content.people.map(({ username }) => join('avatars', `${username}.png`)),
        ...pictures.map(({ file }) => join('pictures', file)),
      ].sort(),
    );
    const bytes = files.map((file) => statSync(join(DEMO_FOLDER, file)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
  });

  it('have the sizes, frames and durations that site.json says', async () => {
    for (const picture of pictures) {
      const path = join(DEMO_FOLDER, 'pictures', picture.file);
      expect(picture).toEqual({ file: picture.file, ...(await factsOf(path)) });
    }
    for (const { username } of content.people) {
      expect(await factsOf(join(DEMO_FOLDER, 'avatars', `${username}.png`))).toEqual({
        width: 420,
        height: 420,
      });
    }
  });

  it('contain two clips, whose posts can be left out', () => {
    expect(pictures.filter(({ duration }) => duration !== undefined)).toHaveLength(2);
    const { posts } = withoutClips(content);
    expect(posts).toHaveLength(content.posts.length - 2);
    expect(posts.flatMap((post) => post.pictures).filter(({ file }) => file.endsWith('.mp4'))).toEqual([]);
  });
});

describe('planDemo', () => {
  const content = readDemoContent();

  it('returns the same plan for the same seed, and another one for another seed', () => {
    expect(planDemo(content, 1)).toEqual(planDemo(content, 1));
    expect(planDemo(content, 2)).not.toEqual(planDemo(content, 1));
  });

  it('lets only people of the demo post, comment and vote', () => {
    const names = content.people.map(({ username }) => username);
    const { posts, comments, postVotes, commentVotes } = planDemo(content, 1);
    const actors = [posts.map(({ post }) => post), comments, postVotes, commentVotes]
      .flat()
      .map(({ by }) => by);
    expect(actors.filter((by) => !names.includes(by))).toEqual([]);
  });
});

async function factsOf(path: string): Promise<object> {
  if (path.endsWith('.mp4')) {
    const output = execFileSync(
      findFfprobe(),
      ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path],
      { encoding: 'utf8' },
    );
    const { streams, format } = JSON.parse(output);
    const [{ width, height }] = streams;
    return { width, height, duration: Number(format.duration) };
  }
  const { width, height, pageHeight = height, pages = 1 } = await sharp(path).metadata();
  return { width, height: pageHeight, ...(pages > 1 && { frames: pages }) };
}
