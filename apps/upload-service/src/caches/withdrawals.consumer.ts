import { Controller } from '@nestjs/common';
import {
  type EventEnvelope,
  type MediaWithdrawn,
  mediaWithdrawn,
  type UserModerated,
  userModerated,
} from '@vitrine/contracts';
import { HandleEvent } from '@vitrine/messaging';
import { FilesService } from '../files/files.service';
import { Caches } from './caches.service';

/** Makes caches forget files that are kept and no longer served: of rejected media, and of suspended accounts. */
@Controller()
export class WithdrawalsConsumer {
  constructor(
    private readonly caches: Caches,
    private readonly files: FilesService,
  ) {}

  @HandleEvent(mediaWithdrawn, { prefetch: 4 })
  async withdrawn({ data: { slug, file_names } }: EventEnvelope<MediaWithdrawn>): Promise<void> {
    this.files.forget(slug);
    await this.caches.forget([{ slug, fileNames: file_names }], 'withdrawn');
  }

  @HandleEvent(userModerated)
  async moderated({ data: { user_id, to } }: EventEnvelope<UserModerated>): Promise<void> {
    if (to === 'suspended') await this.caches.forgetAccount(user_id);
  }
}
