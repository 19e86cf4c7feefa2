import { type MediaVariantsStored, mediaVariantsStored, VARIANT_NAMES } from '@vitrine/contracts';
import type { MediaResource } from '@vitrine/contracts/api';
import { buildEnvelope } from '@vitrine/messaging';
import { FolderStorage } from '@vitrine/storage';
import { eventually } from '@vitrine/testing';
import type { UploadHost } from './upload-host';

export interface PlayedVariant {
  readonly ext: string;
  readonly mime: string;
  readonly content: string;
}

/** Simulates the media-processor: stores one object for all names and publishes the event, with `facts` in addition. */
export async function playProcessor(
  host: UploadHost,
  media: MediaResource,
  { ext, mime, content }: PlayedVariant,
  facts: Partial<MediaVariantsStored> = {},
): Promise<void> {
  const key = `f/${media.slug}_xs.${ext}`;
  await new FolderStorage(host.objects).put(key, Buffer.from(content));
  const variant = { key, ext, mime, width: 1, height: 1, bytes: content.length };
  const data: MediaVariantsStored = {
    media_id: media.id,
    slug: media.slug,
    variants: VARIANT_NAMES.map((name) => ({ name, ...variant })),
    thumbhash: 'AAAA',
    width: media.width,
    height: media.height,
    duration: null,
    hashes: [],
    frames: [],
    took_ms: 1,
    ...facts,
  };
  await (await host.connectBus()).publish(buildEnvelope(mediaVariantsStored, data));
  await eventually(async () => {
    const { rows } = await host.database.query('select processed from media where id = $1', [media.id]);
    expect(rows[0].processed).toBe(true);
  });
}
