import { Injectable } from '@nestjs/common';
import { fileNamesOf } from '../links/file-names';
import { LinkedMediaRepository, type LinkedRow } from './linked-media.repository';

/** The names below `/f/` at which a media item's files are served. */
export interface MediaFileNames {
  readonly slug: string;
  readonly fileNames: readonly string[];
}

/** Media of one account that are read with one statement. */
const PAGE = 500;

/** Names the files of media, for caches in front of the file host. */
@Injectable()
export class MediaFiles {
  constructor(private readonly linked: LinkedMediaRepository) {}

  /** Null if no media item has this slug. */
  async find(slug: string): Promise<MediaFileNames | null> {
    const row = await this.linked.find(slug);
    return row && namesOf(row);
  }

  /** All media of an account, in pages of up to 500. */
  async *findOfAccount(userId: number): AsyncGenerator<readonly MediaFileNames[]> {
    let after = 0;
    for (;;) {
      const page = await this.linked.findOf(userId, after, PAGE);
      const last = page.at(-1);
      if (!last) return;
      yield page.map(namesOf);
      after = last.id;
    }
  }
}

const namesOf = (row: LinkedRow): MediaFileNames => ({ slug: row.slug, fileNames: fileNamesOf(row) });
