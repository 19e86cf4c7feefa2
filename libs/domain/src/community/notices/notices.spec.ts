import { FeedsModule } from '../../posts/feeds/feeds.module';
import { FeedCountsService } from '../../posts/feeds/feed-counts.service';
import { useDomain } from '@vitrine/testing';
import { NotificationsService } from '../notifications/notifications.service';
import { NotificationsModule } from '../notifications/notifications.module';
import { Announcements } from './announcements.service';
import { NoticesModule } from './notices.module';
import { NotificationMails } from './notification-mails.service';

describe('notices', () => {
  const domain = useDomain([NoticesModule, NotificationsModule, FeedsModule], { SMTP_URL: 'log:' });
  beforeEach(() =>
    domain.dataSource.query('truncate users, posts, mails, feed_deltas, post_announcements cascade'),
  );

  const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(text, values);
  const createUser = async (username: string): Promise<number> => {
    const [row] = await sql<{ id: number }>(
      `insert into users (username, email, verified_email) values ($1, $2, $2) returning id`,
      [username, `${username}@example.org`],
    );
    return row!.id;
  };
  /** Followers of `author` who want to know of new posts; the one at each place in `unwilling` doesn't. */
  const addFollowers = async (author: number, names: readonly string[]): Promise<void> => {
    for (const name of names) {
      const id = await createUser(name);
      await sql('insert into follows (follower_id, followee_id) values ($1, $2)', [id, author]);
      if (name.startsWith('want')) await domain.get(NotificationsService).changeSettings(id, { post: true });
    }
  };
  const publish = (author: number, slug: string, age = '1 minute'): Promise<unknown> =>
    sql(
      `insert into posts (slug, user_id, title, listing, created_at)
       values ($1, $2, 'Fog', 'safe', now() - $3::interval)`,
      [slug, author, age],
    );
  const told = async (): Promise<string[]> => {
    await domain.get(FeedCountsService).foldAll();
    await domain.get(Announcements).runDue(() => true, 2);
    const rows = await sql<{ username: string }>(
      `select username from notifications n join users u on u.id = n.user_id where n.kind = 'post' order by n.id`,
    );
    return rows.map(({ username }) => username);
  };

  // Promise [community]: Followers who want it are notified once of a new post.
  it('tell each follower who wants it once of a new post, and not of old ones', async () => {
    const ada = await createUser('ada');
    await addFollowers(ada, ['want_1', 'other', 'want_2', 'want_3', 'want_muting']);
    await sql(
      `insert into mutes (muter_id, muted_id) select id, $1 from users where username = 'want_muting'`,
      [ada],
    );
    await publish(ada, 'oldpost', '3 days');
    expect(await told()).toEqual([]);
    await publish(ada, 'newpost');
    expect(await told()).toEqual(['want_1', 'want_2', 'want_3']);
    // The post leaves the feeds and comes back.
    await sql(`update posts set listing = 'unlisted' where slug = 'newpost'`);
    await told();
    await sql(`update posts set listing = 'nsfw' where slug = 'newpost'`);
    await domain.get(FeedCountsService).foldAll();
    expect(await sql('select 1 from post_announcements')).toEqual([]);
  });

  it('tell nobody of a post that is gone before its turn', async () => {
    const ada = await createUser('ada');
    await addFollowers(ada, ['want_1']);
    await publish(ada, 'newpost');
    await domain.get(FeedCountsService).foldAll();
    expect(await sql('select 1 from post_announcements')).toHaveLength(1);
    await sql('delete from posts');
    expect(await told()).toEqual([]);
    expect(await sql('select 1 from post_announcements')).toEqual([]);
  });

  // Promise [community]: Unread notifications are sent by mail at most as often as somebody wants.
  it('send unread notifications by mail, together, at most as often as somebody wants', async () => {
    const [ada, bob] = [await createUser('ada'), await createUser('bob')];
    const settings = domain.get(NotificationsService);
    const note = (age: string): Promise<unknown> =>
      sql(
        `insert into notifications (user_id, kind, actor_id, created_at) values ($1, 'follow', $2, now() - $3::interval)
         on conflict do nothing`,
        [ada, bob, age],
      );
    const noteComment = (age: string): Promise<unknown> =>
      sql(
        `insert into notifications (user_id, kind, actor_id, created_at) values ($1, 'comment', $2, now() - $3::interval)`,
        [ada, bob, age],
      );
    const mails = async (): Promise<string[]> => {
      await domain.get(NotificationMails).runDue(() => true);
      return (await sql<{ notice: string }>('select notice from mails order by id')).map(
        ({ notice }) => notice,
      );
    };
    await note('1 hour');
    await settings.changeSettings(ada, { mail: 'hourly' });
    await sql(`update notification_settings set mailed_at = now() - interval '2 hours'`);
    // What came before the choice is not sent.
    expect(await mails()).toEqual([]);
    await noteComment('1 minute');
    expect(await mails()).toEqual([]);
    for (let count = 0; count < 12; count++) await noteComment('10 minutes');
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatch(/^You have 12 new notifications\.\nbob commented on a post without a title\./);
    expect(mail).toContain('And 2 more.');
    await noteComment('10 minutes');
    expect(await mails()).toHaveLength(1);
    await sql(`update notification_settings set mailed_at = now() - interval '2 hours'`);
    expect(await mails()).toHaveLength(2);
    await sql(`update notification_settings set mailed_at = now() - interval '2 hours'`);
    await noteComment('10 minutes');
    await settings.markAllRead(ada, null);
    expect(await mails()).toHaveLength(2);
  });

  it('send mails of posts with the longest names and titles', async () => {
    const [ada, bob] = [await createUser('ada'), await createUser('b'.repeat(30))];
    await domain.get(NotificationsService).changeSettings(ada, { mail: 'hourly' });
    await sql(`update notification_settings set mailed_at = now() - interval '2 hours'`);
    await publish(bob, 'newpost');
    await sql(`update posts set title = repeat('😀', 255)`);
    await sql(
      `insert into notifications (user_id, kind, actor_id, post_id, created_at)
       select $1, 'reply', $2, id, now() - interval '1 hour' from posts, generate_series(1, 12)`,
      [ada, bob],
    );
    expect(await domain.get(NotificationMails).runDue(() => true)).toBe(1);
  });
});
