import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import { BannedHashesService, MediaUploads, randomSlug } from '@vitrine/domain';
import { ObjectStorage } from '@vitrine/storage';
import { DEMO_FOLDER, type DemoPicture } from './demo-content';

/** More files than the demo has. */
const FILES_PER_DAY = 100_000;
const AVATAR_PIXELS = 420;

const TYPES: Readonly<Record<string, { kind: 'image' | 'video'; format: string; mime: string }>> = {
  jpg: { kind: 'image', format: 'jpeg', mime: 'image/jpeg' },
  png: { kind: 'image', format: 'png', mime: 'image/png' },
  webp: { kind: 'image', format: 'webp', mime: 'image/webp' },
  gif: { kind: 'image', format: 'gif', mime: 'image/gif' },
  mp4: { kind: 'video', format: 'mp4', mime: 'video/mp4' },
};

export interface UploadedPicture {
  readonly id: number;
  readonly slug: string;
}

/** Stores the demo's pictures as upload-service's intake does, but without its checks. */
@Injectable()
export class DemoUploads {
  constructor(
    private readonly media: MediaUploads,
    private readonly storage: ObjectStorage,
    private readonly bannedHashes: BannedHashesService,
  ) {}

  takeAvatar(username: string, userId: number): Promise<UploadedPicture> {
    const size = { width: AVATAR_PIXELS, height: AVATAR_PIXELS };
    return this.take('avatars', { file: `${username}.png`, ...size }, userId);
  }

  takePicture(picture: DemoPicture, userId: number): Promise<UploadedPicture> {
    return this.take('pictures', picture, userId);
  }

  /** Stores the bytes first and the row last. Throws when the operator has banned this picture. */
  private async take(
    folder: 'avatars' | 'pictures',
    { file, width, height, frames = 1, duration }: DemoPicture,
    userId: number,
  ): Promise<UploadedPicture> {
    const ext = extname(file).slice(1);
    const type = TYPES[ext];
    if (!type) throw new TypeError(`${file} has an unknown type`);
    const bytes = await readFile(join(DEMO_FOLDER, folder, file));
    const sha256 = createHash('sha256').update(bytes).digest();
    if (await this.bannedHashes.isBannedSha256(sha256.toString('hex'))) {
      throw new Error('A picture of the demo is banned on this site.');
    }
    const slug = randomSlug();
    await this.storage.put(objectKeys.original(slug, ext), bytes);
    const { media } = await this.media.register(
      {
        ...type,
        ext,
        width,
        height,
        frames,
        duration: duration ?? null,
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
