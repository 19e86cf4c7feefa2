import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import type { ObjectStorage } from '@vitrine/storage';
import type { Client } from 'pg';

/** The prefix of the pictures that the classifier judges. */
const FRAMES = 'frames/';

/** The name of each kind of line, and the query for its rows; media and posts appear by their slugs. */
const TABLES: readonly (readonly [name: string, sql: string])[] = [
  [
    'media',
    `select slug, kind, format, mime, ext, width, height, duration, frames, bytes,
            encode(received_sha256, 'hex') as received, encode(stored_sha256, 'hex') as stored,
            moderation_status, processed, processing_error, variants, thumbhash, hashes, frame_keys <> '{}' as has_frames,
            decided_at is not null as decided
     from media`,
  ],
  [
    'posts',
    `select slug, title, description, visibility, moderation_status, owner_nsfw, moderator_status, media_count,
            listing, score, comment_count
     from posts`,
  ],
  [
    'post_media',
    `select posts.slug as post, media.slug as media, position
     from post_media join posts on posts.id = post_id join media on media.id = media_id`,
  ],
  [
    'moderation_decisions',
    `select media.slug, decided_by, from_status, to_status, reason, scores is not null as scored
     from moderation_decisions join media on media.id = subject_id and subject = 'media'`,
  ],
  [
    'moderation_queue',
    `select media.slug, scores is not null as scored, reasons from moderation_queue join media on media.id = media_id`,
  ],
  ['upload_counts', 'select subject, files from upload_counts'],
];

/**
 * Describes the data of a stack in sorted lines, one for each row and object, that don't depend on chance or time: media
 * are named by the hash of the uploaded file, posts by their titles, which must be unique. The frames that the classifier
 * judges, and so its scores, depend on the slug; only their existence is described.
 */
export async function describeFinalState(database: Client, storage: ObjectStorage): Promise<string[]> {
  const names = await namesOf(database);
  // Seven letters and digits that aren't part of a longer word.
  const named = (text: string): string =>
    text.replaceAll(/(?<![A-Za-z0-9])[A-Za-z0-9]{7}(?![A-Za-z0-9])/g, (word) => names.get(word) ?? word);
  const lines: string[] = [];
  for (const [table, sql] of TABLES) {
    const { rows } = await database.query(sql);
    lines.push(...rows.map((row) => named(`${table} ${JSON.stringify(row)}`)));
  }
  const framed = new Set<string>();
  for await (const { key } of storage.list('')) {
    if (key.startsWith(FRAMES)) framed.add(named(`object ${posix.dirname(key)}`));
    else lines.push(named(`object ${key} ${await digest(await storage.open(key))}`));
  }
  return [...lines, ...framed].sort();
}

async function namesOf(database: Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.query<{ slug: string; name: string }>(
    `select slug, '<media ' || left(encode(received_sha256, 'hex'), 16) || '>' as name from media
     union all select slug, '<post ' || title || '>' from posts`,
  );
  return new Map(rows.map(({ slug, name }) => [slug, name]));
}

async function digest(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The lines that only one of two lists has: `-` before those of the first, `+` before those of the second. */
export function differences(one: readonly string[], other: readonly string[]): string[] {
  const remaining = new Map<string, number>();
  for (const line of other) remaining.set(line, (remaining.get(line) ?? 0) + 1);
  const missing: string[] = [];
  for (const line of one) {
    const count = remaining.get(line) ?? 0;
    if (count === 0) missing.push(`- ${line}`);
    else remaining.set(line, count - 1);
  }
  const added = [...remaining].flatMap(([line, count]) => Array<string>(count).fill(`+ ${line}`));
  return [...missing, ...added];
}
