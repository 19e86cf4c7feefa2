import type { LoopVariant, StillVariant } from '@vitrine/contracts';
import type { MediaResource } from '@vitrine/contracts/api';
import { FolderStorage } from '@vitrine/storage';
import { eventually } from '@vitrine/testing';
import { playProcessor } from './support/play-processor';
import { gif, png } from './support/samples';
import { uploadFile } from './support/upload-file';
import { type Account, useUploadHost } from './support/upload-host';

const IMMUTABLE = 'public, max-age=31536000, s-maxage=3600, immutable';

describe('the files of an animation', () => {
  const host = useUploadHost();
  let account: Account;

  beforeAll(async () => {
    account = await host.createAccount();
  });

  const moving = { ext: 'webp', mime: 'image/webp', content: 'moving' };
  const get = (name: string): Promise<Response> => fetch(`${host.url}/f/${name}`);
  const statusOf = async (name: string): Promise<number> => (await get(name)).status;

  const stillOf = async ({ slug }: MediaResource, content: string): Promise<StillVariant> => {
    const key = `f/${slug}_still.jpg`;
    await new FolderStorage(host.objects).put(key, Buffer.from(content));
    return {
      ...{ name: 'still', key, ext: 'jpg', mime: 'image/jpeg', width: 1, height: 1 },
      bytes: content.length,
    };
  };

  const loopOf = async ({ slug }: MediaResource, content: string): Promise<LoopVariant> => {
    const key = `f/${slug}_loop.mp4`;
    await new FolderStorage(host.objects).put(key, Buffer.from(content));
    return {
      ...{ name: 'loop', key, ext: 'mp4', mime: 'video/mp4', width: 2, height: 2 },
      bytes: content.length,
    };
  };

  // Promise [files]: `urls.still` and `urls.loop` have the addresses of still and loop once they exist.
  it('include its still and its loop, which are counted as stored', async () => {
    const media = await uploadFile(host, account, gif(2));
    expect(media.urls.still).toBeUndefined();
    await playProcessor(host, media, moving, {
      still: await stillOf(media, 'the first frame'),
      loop: await loopOf(media, 'the loop'),
    });
    const answer = await get(`${media.slug}_still.jpg`);
    expect([answer.status, answer.headers.get('Content-Type'), answer.headers.get('Cache-Control')]).toEqual([
      ...[200, 'image/jpeg', IMMUTABLE],
    ]);
    expect(await answer.text()).toBe('the first frame');
    const loop = await get(`${media.slug}_loop.mp4`);
    expect([loop.status, loop.headers.get('Content-Type'), loop.headers.get('Cache-Control')]).toEqual([
      ...[200, 'video/mp4', IMMUTABLE],
    ]);
    expect([loop.headers.get('Cache-Tag'), await loop.text()]).toEqual([media.slug, 'the loop']);
    const { rows } = await host.database.query(
      'select variant_bytes(variants) as bytes from media where slug = $1',
      [media.slug],
    );
    expect(Number(rows[0].bytes)).toBe('moving'.length + 'the first frame'.length + 'the loop'.length);
    await host.database.query("update media set moderation_status = 'rejected' where slug = $1", [
      media.slug,
    ]);
    await eventually(async () => expect(await statusOf(`${media.slug}_still.jpg`)).toBe(404));
    expect(await statusOf(`${media.slug}_loop.mp4`)).toBe(404);
  });

  it('include no still if an older release processed it: its smallest size is served instead', async () => {
    const media = await uploadFile(host, account, gif(2));
    await playProcessor(host, media, moving);
    const answer = await get(`${media.slug}_still.jpg`);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'image/webp']);
    expect(answer.headers.get('Cache-Control')).not.toContain('immutable');
    expect(await answer.text()).toBe('moving');
    expect(await statusOf(`${media.slug}_loop.mp4`)).toBe(404);
  });

  it('don’t exist for a picture that doesn’t move', async () => {
    const media = await uploadFile(host, account, png(4, 4));
    expect(await statusOf(`${media.slug}_still.jpg`)).toBe(404);
    await playProcessor(host, media, { ext: 'png', mime: 'image/png', content: 'x' });
    expect(await statusOf(`${media.slug}_still.jpg`)).toBe(404);
  });
});
