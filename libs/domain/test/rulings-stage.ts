import { randomSlug } from '../src/base/identifiers/slug';
import { randomBytes } from 'node:crypto';
import type { EventEnvelope, ModerationStatus } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import type { DataSource } from 'typeorm';
import { PostMediaService } from '../src/posts/rows/post-media.service';
import { ReportsService } from '../src/moderation/reports/reports.service';
import { DecisionLog } from '../src/moderation/decisions/decision-log.service';
import type { Evidence, ModeratorRuling } from '../src/moderation/review/moderation.rules';
import type { DecisionView, ItemDecision } from '../src/moderation/decisions/moderation-decision.repository';
import { ReviewModule } from '../src/moderation/review/review.module';
import type { QueueEntry } from '../src/moderation/review/queue.repository';
import { QueueService } from '../src/moderation/review/queue.service';
import { RulingsService } from '../src/moderation/review/rulings.service';

export const UNSURE: Evidence = {
  ban: null,
  pictures: [{ drawing: 0, hentai: 0, neutral: 0.5, porn: 0.5, sexy: 0 }],
};
export const SAFE: Evidence = {
  ban: null,
  pictures: [{ drawing: 0, hentai: 0, neutral: 1, porn: 0, sexy: 0 }],
};

type ItemDecisionView = DecisionView & Pick<ItemDecision, 'from' | 'to'>;

/** All rulings except `pending`, which revokes rulings. */
export const STATUS_RULINGS = ['approved', 'nsfw', 'rejected'] as const;

/** Least first. */
export const SEVERITY: readonly ModerationStatus[] = ['approved', 'nsfw', 'rejected'];

export interface Item {
  readonly id: number;
  readonly slug: string;
}

/** Starts the services before a suite's tests and stops them afterwards; returns them and helpers for the tests. */
export function useRulings() {
  const domain = useDomain([ReviewModule]);
  let dataSource: DataSource;
  let rulings: RulingsService;
  let owner: number;
  let moderator: { userId: number; username: string; role: 'moderator' };

  beforeAll(async () => {
    dataSource = domain.dataSource;
    rulings = domain.get(RulingsService);
    owner = await insert(`insert into users (username) values ('owner')`, []);
    const userId = await insert(`insert into users (username, role) values ('mia', 'moderator')`, []);
    moderator = { userId, username: 'mia', role: 'moderator' };
  });

  const insert = async (sql: string, values: readonly unknown[]): Promise<number> => {
    const [row]: { id: number }[] = await dataSource.query(`${sql} returning id`, [...values]);
    return row?.id ?? 0;
  };

  async function addMedia(status: ModerationStatus = 'approved', sha256 = randomBytes(32)): Promise<Item> {
    const slug = randomSlug();
    const id = await insert(
      `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256,
                          processed, moderation_status, decided_at)
       values ($1, $2, 'image', 'jpeg', 'image/jpeg', 'jpg', 10, 10, 100, $3, $3, true, $4,
               case when $4 <> 'pending' then now() end)`,
      [slug, owner, sha256, status],
    );
    return { id, slug };
  }

  async function addPost(media: readonly Item[], columns = { owner_nsfw: false }): Promise<Item> {
    const slug = randomSlug();
    const id = await insert('insert into posts (slug, user_id, owner_nsfw) values ($1, $2, $3)', [
      slug,
      owner,
      columns.owner_nsfw,
    ]);
    for (const [position, { id: mediaId }] of media.entries()) {
      await dataSource.query('insert into post_media (post_id, media_id, position) values ($1, $2, $3)', [
        id,
        mediaId,
        position,
      ]);
    }
    await derive(id);
    return { id, slug };
  }

  const derive = (postId: number): Promise<unknown> =>
    domain.get(Database).transaction((tx) => domain.get(PostMediaService).derive(tx, postId));
  const ruling = (
    status: ModeratorRuling['status'],
    ban = false,
    by: ModeratorRuling['moderator'] = moderator,
  ): ModeratorRuling => ({ status, note: `as ${status}`, ban, moderator: by });
  const statusOf = async (table: 'media' | 'posts', { id }: Item): Promise<ModerationStatus | undefined> => {
    const [row]: { status: ModerationStatus }[] = await dataSource.query(
      `select moderation_status as status from ${table} where id = $1`,
      [id],
    );
    return row?.status;
  };
  const listingOf = async (table: 'media' | 'posts', { id }: Item): Promise<string | undefined> => {
    const [row]: { listing: string }[] = await dataSource.query(
      `select listing from ${table} where id = $1`,
      [id],
    );
    return row?.listing;
  };
  /** Oldest first. */
  const decisionsOn = async (subject: 'media' | 'post', { slug }: Item): Promise<ItemDecisionView[]> => {
    const { items } = await domain.get(DecisionLog).findPage({ subject, slug }, 1, 250);
    return (items as ItemDecisionView[]).slice().reverse();
  };
  const eventsOn = async ({ slug }: Item): Promise<{ type: string; data: unknown }[]> => {
    const rows: { envelope: EventEnvelope }[] = await dataSource.query(
      `select envelope from outbox where envelope->'data'->>'slug' = $1 order by id`,
      [slug],
    );
    return rows.map(({ envelope: { type, data } }) => ({ type, data }));
  };
  const openReports = async (type: string, { id }: Item): Promise<number> => {
    const rows: unknown[] = await dataSource.query(
      'select 1 from reports where type = $1 and target_id = $2 and closed_at is null',
      [type, id],
    );
    return rows.length;
  };
  const report = async (type: 'media' | 'post', { slug }: Item, userId = owner): Promise<void> => {
    const complaint = { type, target: slug, reason: 'spam', details: null } as const;
    await domain.get(ReportsService).report(complaint, { userId, role: 'user' });
  };
  const addPerson = (): Promise<number> =>
    insert('insert into users (username) values ($1)', [`user_${randomBytes(5).toString('hex')}`]);
  const addModerator = async (): Promise<ModeratorRuling['moderator']> => {
    const username = `mod_${randomBytes(5).toString('hex')}`;
    const userId = await insert(`insert into users (username, role) values ($1, 'moderator')`, [username]);
    return { userId, username, role: 'moderator' };
  };
  const queueEntryOf = async (type: string, { id }: Item): Promise<QueueEntry | undefined> => {
    const { items } = await domain.get(QueueService).findPage(1, 250, moderator);
    return items.map(({ entry }) => entry).find((entry) => entry.type === type && entry.id === id);
  };

  /**
   * Expects each decision to start from the status that the previous one set, and the item to have the last status.
   */
  const expectUnbroken = async (subject: 'media' | 'post', item: Item): Promise<void> => {
    const decisions = await decisionsOn(subject, item);
    decisions.slice(1).forEach(({ from }, index) => expect(from).toBe(decisions[index]?.to));
    expect(await statusOf(subject === 'media' ? 'media' : 'posts', item)).toBe(decisions.at(-1)?.to);
  };
  return {
    get domain() {
      return domain;
    },
    get dataSource() {
      return dataSource;
    },
    get rulings() {
      return rulings;
    },
    get owner() {
      return owner;
    },
    get moderator() {
      return moderator;
    },
    insert,
    addMedia,
    addPost,
    derive,
    ruling,
    statusOf,
    listingOf,
    decisionsOn,
    eventsOn,
    openReports,
    report,
    addPerson,
    addModerator,
    queueEntryOf,
    expectUnbroken,
  };
}
