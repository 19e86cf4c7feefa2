import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import { BannedHashesService, MediaUploads, randomSlug } from '@vitrine/domain';
import { ObjectStorage } from '@vitrine/storage';
import type { RenderedFile } from './pictures/render';

/** More files than the demo has. */
const FILES_PER_DAY = 100_000;

export interface UploadedPicture {
  readonly id: number;
  readonly slug: string;
}

/** Stores generated pictures as upload-service's intake does, but without its checks. */
@Injectable()
export class DemoUploads {
  constructor(
    private readonly media: MediaUploads,
    private readonly storage: ObjectStorage,
    private readonly bannedHashes: BannedHashesService,
  ) {}

  /** Stores the bytes first and the row last. Throws when the operator has banned this picture. */
  async take({ bytes, ...facts }: RenderedFile, userId: number): Promise<UploadedPicture> {
    const sha256 = createHash('sha256').update(bytes).digest();
    if (await this.bannedHashes.isBannedSha256(sha256.toString('hex'))) {
      throw new Error('A picture of the demo is banned on this site.');
    }
    const slug = randomSlug();
    await this.storage.put(objectKeys.original(slug, facts.ext), bytes);
    const { media } = await this.media.register(
      {
        ...facts,
        slug,
        userId,
        bytes: bytes.length,
        receivedSha256: sha256,
        storedSha256: sha256,
        unlisted: false,
      },
      { subject: `user:${userId}`, filesPerDay: FILES_PER_DAY },
      null,
    );
    return { id: media.id, slug: media.slug };
  }
}
