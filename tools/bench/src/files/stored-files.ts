import { randomSlug } from '@vitrine/domain';
import { FolderStorage } from '@vitrine/storage';
import { Client } from 'pg';

/** A stored file with its addresses below Vitrine's file host and below the folder itself. */
export interface StoredFile {
  readonly own: string;
  readonly plain: string;
}

/**
 * Adds media that are processed and approved, with these bytes as their originals. `like` is the slug of an uploaded
 * media item, whose row they copy.
 */
export async function addMedia(
  databaseUrl: string,
  folder: string,
  like: string,
  contents: Iterable<Uint8Array>,
): Promise<StoredFile[]> {
  const storage = new FolderStorage(folder);
  const slugs: string[] = [];
  for (const bytes of contents) {
    const slug = randomSlug();
    await storage.put(`f/${slug}.jpg`, bytes);
    slugs.push(slug);
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into media (slug, user_id, kind, format, mime, ext, width, height, frames, bytes, received_sha256,
                          stored_sha256, processed, moderation_status)
       select s.slug, m.user_id, m.kind, m.format, m.mime, m.ext, m.width, m.height, m.frames, m.bytes,
              m.received_sha256, m.stored_sha256, true, 'approved'
       from media m cross join unnest($2::text[]) s(slug) where m.slug = $1`,
      [like, slugs],
    );
  } finally {
    await client.end();
  }
  return slugs.map((slug) => ({ own: `/f/${slug}.jpg`, plain: `/f/${slug.slice(0, 2)}/${slug}.jpg` }));
}
