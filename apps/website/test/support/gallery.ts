import type { CreatedPost, Media, VitrineClient, Webhook } from '@vitrine/client';
import { eventually, type Person, type Stack } from '@vitrine/testing';
import { animation, landscape, type SampleFile, video } from './samples';

/** More than fit on one page of the feed. */
const POSTS = 34;

/** A site with content: pictures, posts on two pages, comments, votes and a follower. */
export interface Gallery {
  /** Author of all posts. */
  readonly ada: Person;
  /** Comments, votes and follows. */
  readonly grace: Person;
  readonly moderator: Person;
  readonly admin: Person;
  readonly image: Media;
  readonly animation: Media;
  readonly video: Media;
  /** The latest: three media, a description with a link, tags, and a thread of comments. */
  readonly post: CreatedPost;
  /** Ada's, with a delivery to an address that does not exist. */
  readonly webhook: Webhook;
}

/** Uploads a file through the API. */
export const upload = (client: VitrineClient, { name, buffer }: SampleFile): Promise<Media> =>
  client.media.upload(Uint8Array.from(buffer), { name });

/** Resolves with the media once it is processed and decided; rejects if it can't be processed. */
export async function decided(client: VitrineClient, { slug }: Pick<Media, 'slug'>): Promise<Media> {
  const media = await eventually(async () => {
    const found = await client.media.get(slug);
    if (found.processing_error === null && (!found.processed || found.moderation_status === 'pending'))
      throw new Error(`${slug} still waits`);
    return found;
  });
  if (media.processing_error !== null) throw new Error(`${slug}: ${media.processing_error}`);
  return media;
}

/** Fills a stack whose processes all run. */
export async function fillGallery(stack: Stack): Promise<Gallery> {
  const [ada, grace, moderator, admin] = await Promise.all([
    stack.createPerson('ada'),
    stack.createPerson('grace'),
    stack.createPerson('mo_derator', { role: 'moderator' }),
    stack.createPerson('boss_admin', { role: 'admin' }),
  ]);
  const uploads = await Promise.all([
    landscape('hills.jpg', 200),
    landscape('tower.jpg', 20, 500, 800),
    landscape('plain.jpg', 100, 1600, 600),
    animation('blinking.gif'),
    video('card.mp4'),
  ]).then((files) => Promise.all(files.map((file) => upload(ada.client, file))));
  const media = await Promise.all(uploads.map((one) => decided(ada.client, one)));
  const [image, , , animated, film] = media as [Media, Media, Media, Media, Media];
  await ada.client.media.update(image.slug, { title: 'Hills', alt_text: 'Green hills under a blue sky' });
  await ada.client.me.update({ bio: 'Hills, mostly.\nhttps://hills.example/', avatar: image.slug });

  for (let i = 1; i < POSTS; i++) {
    await ada.client.posts.create({
      media_ids: [media[i % media.length]!.id],
      title: i % 4 === 0 ? null : `Walk number ${i}`,
      tags: ['walks'],
      visibility: 'public',
    });
  }
  const post = await ada.client.posts.create({
    media_ids: [image.id, animated.id, film.id],
    title: 'Three views of a hill',
    description: 'From the north.\n\nMore at https://hills.example/north',
    tags: ['hills', 'walks'],
    visibility: 'public',
  });
  const first = await grace.client.comments.create(post.slug, { content: 'Where is this?' });
  await ada.client.comments.create(post.slug, { content: 'In the north.', parent_id: first.id });
  await grace.client.comments.create(post.slug, { content: 'The second one moves!' });
  await grace.client.posts.upvote(post.slug);
  await grace.client.users.follow(ada.username);
  const { webhook } = await ada.client.webhooks.create({ url: 'https://receiver.invalid/hooks/vitrine' });
  await ada.client.webhooks.test(webhook.id);
  return { ada, grace, moderator, admin, image, animation: animated, video: film, post, webhook };
}
