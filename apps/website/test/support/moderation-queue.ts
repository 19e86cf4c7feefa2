import type { Media } from '@vitrine/client';
import type { Person, Stack } from '@vitrine/testing';
import { upload } from './gallery';
import { landscape } from './samples';

/** A gradient from brown to blue: the placeholder of a hidden file. */
const THUMBHASH = '3OcRJYB4d3h/iIeHeEh3eIhw+j2w';

let uploads = 0;

/** Uploads a small picture; each one differs. */
export const uploadView = async ({ client }: Person): Promise<Media> =>
  upload(client, await landscape('view.jpg', ++uploads, 80, 60));

/** Uploads small pictures and puts them into the queue, one after the other. */
export async function queueViews(stack: Stack, owner: Person, count: number): Promise<Media[]> {
  const media = [];
  for (let i = 0; i < count; i++) {
    const one = await uploadView(owner);
    media.push(one);
    await queueAsUnsure(stack, one, 100 - i);
  }
  return media;
}

/** Puts a media item into the queue as if the automatic check had been unsure. */
async function queueAsUnsure(stack: Stack, { id }: Media, minutesAgo: number): Promise<void> {
  await stack.sql(
    `insert into moderation_queue (media_id, reasons, scores, waiting_since)
     values ($1, '{classifier_unsure}', $2, now() - make_interval(mins => $3))`,
    [
      id,
      JSON.stringify({
        unsafe: 0.41,
        worst_frame: 0,
        frames: 1,
        classes: { drawing: 0.02, hentai: 0.01, neutral: 0.37, porn: 0.2, sexy: 0.4 },
      }),
      minutesAgo,
    ],
  );
  await stack.sql('update media set processed = true, thumbhash = $2, decided_at = now() where id = $1', [
    id,
    THUMBHASH,
  ]);
}
