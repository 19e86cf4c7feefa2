import { eventually, noisePicture, startStack, startWebhookReceiver } from '@vitrine/testing';
import sharp from 'sharp';
import { Webhook as Verifier } from 'standardwebhooks';

interface Payload {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

// From an upload to the signed events of its processing, moderation and deletion: all processes, seen through HTTP.
describe('webhooks of a whole stack', () => {
  it('receive each event of a file and its post once, signed', async () => {
    const receiver = await startWebhookReceiver();
    const stack = await startStack({ env: { WEBHOOKS_ALLOW_PRIVATE: 'true' }, without: ['website'] });
    try {
      const { client } = await stack.createPerson('ada');
      const { secret } = await client.webhooks.create({ url: receiver.url });
      const raw = { width: 420, height: 300, channels: 3 } as const;
      const picture = await sharp(await noisePicture(420, 300, 5), { raw })
        .png()
        .toBuffer();
      const media = await client.media.upload(new Blob([Uint8Array.from(picture)]), { name: 'a.png' });
      await client.media.waitUntilModerated(media.slug, {});
      const post = await client.posts.create({ media_ids: [media.id], title: 'Harbour' });
      const second = await client.media.upload(new Blob([Uint8Array.from(picture)]), { name: 'b.png' });
      await client.media.delete(second.slug);
      await client.posts.delete(post.slug);

      const types = (slug: string): string[] =>
        receiver.received
          .map(({ body }) => JSON.parse(body) as Payload)
          .filter(({ data }) => data['slug'] === slug)
          .map(({ type }) => type)
          .sort();
      await eventually(() => {
        expect(types(media.slug)).toEqual(['media.moderated', 'media.processed', 'media.uploaded']);
        expect(types(post.slug)).toEqual(['post.created', 'post.deleted']);
        expect(types(second.slug)).toEqual(expect.arrayContaining(['media.deleted', 'media.uploaded']));
      });
      const verifier = new Verifier(secret);
      for (const { body, headers } of receiver.received) {
        expect(verifier.verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
      }
    } finally {
      await stack.close();
      await receiver.stop();
    }
  });
});
