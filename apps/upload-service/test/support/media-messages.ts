import { type EventEnvelope, mediaDeleted, mediaProcessingFailed } from '@vitrine/contracts';
import type { MediaResource } from '@vitrine/contracts/api';
import { buildEnvelope } from '@vitrine/messaging';

type Named = Pick<MediaResource, 'id' | 'slug'>;

export const failureOf = ({ id, slug }: Named, reason: string): EventEnvelope =>
  buildEnvelope(mediaProcessingFailed, { media_id: id, slug, reason });

export const deletionOf = ({ id, slug }: Named): EventEnvelope =>
  buildEnvelope(mediaDeleted, {
    media_id: id,
    slug,
    sequence: 2,
    kind: 'image',
    owner: null,
    file_names: [],
  });
