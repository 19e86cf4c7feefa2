import type { Type } from '@nestjs/common';
import { AccountAdministration } from '../administration/account-administration.service';
import { sessionOf } from '../../../test/session-of';
import { MediaReading } from '../../media/items/media-reading.service';
import { PostsService } from '../../posts/posts/posts.service';
import { PostEditingService } from '../../posts/posts/post-editing.service';
import { CommentListsService } from '../../community/comments/comment-lists.service';
import { CommentsService } from '../../community/comments/comments.service';
import { FeedsService } from '../../posts/feeds/feeds.service';
import { FollowsService } from '../../community/follows/follows.service';
import { DecisionLog } from '../../moderation/decisions/decision-log.service';
import { AuthorsService } from '../authors/authors.service';
import type { Caller } from '../../base/access/caller';
import {
  AccountLimitedError,
  ForbiddenError,
  InvalidFieldsError,
  NotFoundError,
} from '../../base/errors/domain-error';
import { always, ORIGIN, PASSWORD, useErasure } from '../../../test/erasure-stage';
import { type AccountRuling, AccountRulings } from './account-rulings.service';
import { Relisting } from './relisting';

describe('AccountRulings', () => {
  const stage = useErasure();
  const { query, single, createAccount, fill, settle } = stage;
  const get = <Service>(type: Type<Service>): Service => stage.domain.get(type);
  const by = (caller: Caller | null, state: AccountRuling['state'], until: string | null = null) => ({
    state,
    reason: state === 'active' ? null : 'Spam.',
    until,
    by: caller,
  });
  const rule = (account: Caller, ruling: AccountRuling) => get(AccountRulings).rule(account.username, ruling);
  const promote = async (role: Caller['role']): Promise<Caller> => {
    const caller = await createAccount();
    await stage.domain.get(AccountAdministration).changeRole(caller.username, role);
    return { ...caller, role };
  };
  const listings = ({ userId }: Caller) =>
    query(
      `select 'media' as items, id, listing from media where user_id = $1
       union all select 'post', id, listing from posts where user_id = $1 order by 1, 2`,
      [userId],
    );
  const relistAll = async (): Promise<void> => {
    while (Number(await single('select count(*) from relistings')) > 0) await get(Relisting).runDue(always);
  };
  /** Puts a restriction in force whose relisting has not begun. */
  const restrictWithoutRelisting = ({ userId }: Caller, state: string) =>
    query(`insert into account_restrictions (user_id, state, reason) values ($1, $2, 'Spam.')`, [
      userId,
      state,
    ]);
  const slugOf = (table: string, { userId }: Caller, condition: string) =>
    single(`select slug from ${table} where user_id = $1 and ${condition} order by id limit 1`, [userId]);

  // Promise [moderation]: Everything of a limited account leaves the feeds, and can be put back as it was.
  it('take everything out of the feeds in batches, and put it back as it was', async () => {
    const [account, other] = [await createAccount(), await createAccount()];
    await fill(other, []);
    await fill(account, [], 700);
    await settle();
    const before = await listings(account);
    const others = await listings(other);
    for (const state of ['limited', 'suspended'] as const) {
      await rule(account, by(null, state));
      await relistAll();
      expect((await listings(account)).filter(({ listing }) => listing !== 'unlisted')).toEqual([]);
      for (const items of ['posts', 'media'] as const) {
        const feed = { items, audience: 'adults', userId: account.userId } as const;
        expect(await get(FeedsService).count(feed)).toBe(0);
      }
    }
    await rule(account, by(null, 'active'));
    await relistAll();
    expect(await listings(account)).toEqual(before);
    expect(await listings(other)).toEqual(others);
    expect(await stage.differences()).toEqual([]);
  });

  it('continue after an interruption after any batch, in several processes at the same time', async () => {
    const account = await createAccount();
    await fill(account, [], 500);
    await settle();
    const before = await listings(account);
    await restrictWithoutRelisting(account, 'limited');
    await query('insert into relistings (user_id) values ($1)', [account.userId]);
    let sweeps = 0;
    for (; Number(await single('select count(*) from relistings')) > 0; sweeps++) {
      await Promise.all([2, 3].map((steps) => get(Relisting).runDue(() => steps-- > 0)));
    }
    expect(sweeps).toBeGreaterThan(1);
    expect((await listings(account)).filter(({ listing }) => listing !== 'unlisted')).toEqual([]);
    await rule(account, by(null, 'active'));
    await relistAll();
    expect(await listings(account)).toEqual(before);
  });

  it('are right for what the account makes and shows at the same time', async () => {
    const [account, moderator] = [await createAccount(), await promote('moderator')];
    await fill(account, [], 60);
    await settle();
    const hidden = await query<{ slug: string }>(
      `select slug from posts where user_id = $1 and visibility = 'hidden' order by id`,
      [account.userId],
    );
    const media = await query<{ id: number }>('select id from media where user_id = $1 order by id', [
      account.userId,
    ]);
    const editing = get(PostEditingService);
    const outcomes = await Promise.allSettled([
      ...hidden.map(({ slug }) => editing.update(slug, account, { visibility: 'public' })),
      ...media.slice(0, 10).map(({ id }) => editing.create(account, { mediaIds: [id] })),
      rule(account, by(moderator, 'limited')),
    ]);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    await relistAll();
    expect((await listings(account)).filter(({ listing }) => listing !== 'unlisted')).toEqual([]);
  });

  // Promise [moderation]: The items of a suspended account are hidden from everyone but moderators.
  it('hide the posts and media of a suspended account at once from everyone but moderators', async () => {
    const [account, other, moderator] = [
      await createAccount(),
      await createAccount(),
      await promote('moderator'),
    ];
    await fill(other, []);
    await fill(account, [other], 100);
    await settle();
    const media = String(await slugOf('media', account, `listing = 'safe'`));
    const post = String(await slugOf('posts', account, `listing = 'safe'`));
    const [comment] = await query<{ id: number; postId: number; replies: number }>(
      `select c.id, c.post_id as "postId", c.replies_count as replies from comments c join posts p on p.id = c.post_id
       where c.user_id = $1 and p.user_id = $2 and p.visibility = 'public' and c.replies_count = 0 limit 1`,
      [account.userId, other.userId],
    );
    const named = { id: comment!.id, post: String(comment!.postId) };
    const read = (viewer: Caller | null) =>
      [
        () => get(MediaReading).findForViewer(media, viewer),
        () => get(PostsService).findForViewer(post, { viewer }, { mediaPage: 1, perPage: 10 }),
        () => get(PostsService).requireVisible(post, { viewer }),
        () => get(CommentListsService).findForViewer(named, { viewer }),
      ] as const;
    await restrictWithoutRelisting(account, 'suspended');

    for (const attempt of read(other)) await expect(attempt()).rejects.toThrow(NotFoundError);
    for (const attempt of read(moderator)) await expect(attempt()).resolves.toBeTruthy();
    const acts = [
      () => get(PostsService).vote(post, other, { accessKey: null, value: 1 }),
      () => get(CommentsService).create(post, other, null, { content: 'x', parentId: null }),
      () => get(CommentsService).vote(named, other, { accessKey: null, value: 1 }),
      () => get(CommentsService).remove(named, other, null),
      () => get(FollowsService).follow(account.username, other),
    ];
    for (const act of acts) await expect(act()).rejects.toThrow(NotFoundError);
    expect(await get(MediaReading).findServed(media)).toBeNull();
    expect(await get(AuthorsService).findUserId(account.username)).toBeNull();
    const shown = await get(MediaReading).findFeedPage({ page: 1, limit: 250, nsfw: true }, { viewer: null });
    expect(shown.items.length).toBeGreaterThan(0);
    expect(shown.items.filter((item) => item.media.userId === account.userId)).toEqual([]);
    const posts = await get(PostsService).findFeedPage({ page: 1, limit: 250 }, { viewer: other });
    expect(posts.items.filter((item) => item.post.userId === account.userId)).toEqual([]);
    const thread = await get(CommentListsService).findPostPage(
      named.post,
      { viewer: other },
      { page: 1, limit: 250, parentId: null },
    );
    expect(thread.total).toBe(thread.comments.length);
    expect(thread.comments.map((view) => view.comment.id)).not.toContain(named.id);
    expect(thread.comments.map((view) => view.comment.userId)).not.toContain(account.userId);
    const followers = await get(FollowsService).findPage('followers', other.username, null, {
      page: 1,
      limit: 9,
    });
    expect(followers.follows.map(({ author }) => author.username)).not.toContain(account.username);
  });

  // Promise [moderation]: A suspended account can’t log in, and learns the reason only with the right
  // password.
  it('refuse sessions and tokens of a suspended account, and the login gives the reason only with the right password', async () => {
    const account = await createAccount();
    const { secret } = sessionOf(await stage.logins.login(account.username, PASSWORD, ORIGIN));
    const token = await stage.tokens.create(account.userId, { name: 'camera' });
    await rule(account, by(null, 'suspended', '2999-12-03T10:00:00Z'));
    for (const each of [secret, token.secret]) expect(await stage.tokens.authenticate(each)).toBeNull();
    await expect(stage.logins.login(account.username, PASSWORD, ORIGIN)).rejects.toMatchObject({
      errors: { login: ['This account is suspended until 2999-12-03 10:00 UTC. Reason: Spam.'] },
    });
    await expect(stage.logins.login(account.username, `${PASSWORD}!`, ORIGIN)).rejects.toMatchObject({
      errors: { login: ['These credentials do not match our records.'] },
    });
    await rule(account, by(null, 'active'));
    for (const each of [secret, token.secret]) expect(await stage.tokens.authenticate(each)).not.toBeNull();
  });

  // Promise [moderation]: Restrictions end by their date.
  it('end by their date without any process, and the feeds follow with the next sweep', async () => {
    const [account, other] = [await createAccount(), await createAccount()];
    await fill(account, []);
    await settle();
    const before = await listings(account);
    const media = String(await slugOf('media', account, `listing = 'safe'`));
    await rule(account, by(null, 'suspended', '2999-01-01T00:00:00Z'));
    await relistAll();
    await query(`update account_restrictions set until = now()`);
    const { account: active } = sessionOf(await stage.logins.login(account.username, PASSWORD, ORIGIN));
    expect(active.standing.state).toBe('active');
    await expect(get(MediaReading).findForViewer(media, other)).resolves.toBeTruthy();
    expect(await get(MediaReading).findServed(media)).not.toBeNull();
    expect((await get(AccountRulings).find(account.username)).state).toBe('active');
    await get(Relisting).runDue(always);
    await relistAll();
    expect(await listings(account)).toEqual(before);
    expect(await query('select from account_restrictions')).toEqual([]);
  });

  // Promise [moderation]: A limited account stays readable by slug, and comments only on its own posts.
  it('keep the posts and media of a limited account readable by slug, and let it comment only on its own posts', async () => {
    const [account, other] = [await createAccount(), await createAccount()];
    await fill(other, []);
    await fill(account, [other]);
    await settle();
    const [own, theirs] = [
      String(await slugOf('posts', account, `listing = 'safe'`)),
      String(await slugOf('posts', other, `listing = 'safe'`)),
    ];
    const [earlier] = await query<{ id: number }>(
      `select c.id from comments c join posts p on p.id = c.post_id where c.user_id = $1 and p.visibility = 'public' limit 1`,
      [account.userId],
    );
    await restrictWithoutRelisting(account, 'limited');
    expect((await stage.users.findAccount(account.userId)).standing).toMatchObject({
      state: 'limited',
      reason: 'Spam.',
    });
    await expect(get(PostsService).requireVisible(own, { viewer: other })).resolves.toBeTruthy();
    const page = await get(PostsService).findProfilePage(
      account.username,
      { page: 1, limit: 9 },
      { viewer: other },
    );
    expect(page.items).toEqual([]);
    const comments = await get(CommentListsService).findUserPage(account.username, other, {
      page: 1,
      limit: 9,
    });
    expect(comments.total).toBe(0);
    const draft = { content: 'Hello', parentId: null };
    await get(CommentsService).create(own, account, null, draft);
    await expect(get(CommentsService).create(theirs, account, null, draft)).rejects.toThrow(
      AccountLimitedError,
    );
    await expect(get(CommentsService).edit({ id: earlier!.id }, account, null, 'Buy')).rejects.toThrow(
      AccountLimitedError,
    );
  });

  it('are entries in the log and events, and close the reports on the account', async () => {
    const [account, reporter, moderator] = [
      await createAccount(),
      await createAccount(),
      await promote('moderator'),
    ];
    await query(`insert into reports (reporter_id, type, user_id, reason) values ($1, 'user', $2, 'spam')`, [
      reporter.userId,
      account.userId,
    ]);
    await rule(account, by(moderator, 'limited', '2999-01-01T00:00:00Z'));
    await rule(account, by(null, 'active'));
    await rule(account, by(null, 'active'));
    const log = await get(DecisionLog).findPage({ subject: 'user', slug: account.username }, 1, 10);
    expect(log.items).toMatchObject([
      { from: 'limited', to: 'active', decidedBy: 'operator', username: null, note: null, until: null },
      { from: 'active', to: 'limited', username: moderator.username, note: 'Spam.', until: expect.any(Date) },
    ]);
    expect(
      await query(
        `select envelope->'data' as data from outbox where envelope->>'type' = 'user.moderated' order by id`,
      ),
    ).toMatchObject([
      { data: { username: account.username, from: 'active', to: 'limited', decided_by: moderator.username } },
      { data: { to: 'active', until: null, decided_by: 'operator' } },
    ]);
    expect(await query('select closed_by from reports')).toEqual([{ closed_by: moderator.userId }]);
  });

  // Promise [moderation]: Staff can’t limit or suspend staff of an equal or higher role.
  it('are refused on staff of an equal or a higher role, on the only admin, and without a reason', async () => {
    const [user, moderator, colleague, admin] = [
      await createAccount(),
      await promote('moderator'),
      await promote('moderator'),
      await promote('admin'),
    ];
    for (const target of [moderator, colleague, admin]) {
      await expect(rule(target, by(moderator, 'limited'))).rejects.toThrow(ForbiddenError);
    }
    await expect(rule(admin, by(admin, 'limited'))).rejects.toThrow(ForbiddenError);
    await expect(rule(admin, by(null, 'suspended'))).rejects.toMatchObject({
      errors: { state: ['The only admin cannot be suspended.'] },
    });
    await expect(rule(user, { ...by(moderator, 'limited'), reason: ' ' })).rejects.toThrow(
      InvalidFieldsError,
    );
    await expect(rule(user, by(moderator, 'limited', '2020-01-01T00:00:00Z'))).rejects.toThrow(
      InvalidFieldsError,
    );
    await expect(rule(user, by(moderator, 'active', '2999-01-01T00:00:00Z'))).rejects.toThrow(
      InvalidFieldsError,
    );
    await expect(get(AccountRulings).rule('nobody_here', by(moderator, 'active'))).rejects.toThrow(
      NotFoundError,
    );
    expect(await query('select from account_restrictions')).toEqual([]);
    await rule(moderator, by(admin, 'suspended'));
    const second = await promote('admin');
    // Both at the same time: one of the two stays.
    const outcomes = await Promise.allSettled([admin, second].map((one) => rule(one, by(null, 'suspended'))));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
