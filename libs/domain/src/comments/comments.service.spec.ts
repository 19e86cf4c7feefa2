import { randomBytes } from 'node:crypto';
import type { ModerationStatus, Visibility } from '@vitrine/contracts';
import { type DomainContext, startDomain } from '@vitrine/testing';
import { Client } from 'pg';
import {
  DomainError,
  ForbiddenError,
  InvalidFieldsError,
  NotFoundError,
  UnauthenticatedError,
} from '../errors/domain-error';
import { randomSlug } from '../slugs/slug';
import type { Caller } from '../tokens/caller';
import { CommentListsService } from './comment-lists.service';
import { CommentsModule } from './comments.module';
import { CommentsService } from './comments.service';

interface PostFields {
  readonly userId?: number | null;
  readonly visibility?: Visibility;
  readonly status?: ModerationStatus;
  readonly accessKey?: string;
}

const KEY = 'Sesame0123456789Sesame0123456789';

describe('comments', () => {
  let domain: DomainContext;
  let service: CommentsService;
  let lists: CommentListsService;

  beforeAll(async () => {
    domain = await startDomain([CommentsModule]);
    service = domain.get(CommentsService);
    lists = domain.get(CommentListsService);
  });
  beforeEach(() => domain.dataSource.query('truncate users, posts, comments, outbox cascade'));
  afterAll(() => domain.stop());

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const createUser = async (role: Caller['role'] = 'user'): Promise<Caller> => {
    const username = `user_${randomBytes(5).toString('hex')}`;
    const [row] = await query<{ id: number }>(
      'insert into users (username, role) values ($1, $2) returning id',
      [username, role],
    );
    return {
      userId: row!.id,
      username,
      role,
      isGuest: false,
      tokenId: 1,
      kind: 'session',
      scopes: ['read', 'write'],
    };
  };
  const createPost = async (fields: PostFields = {}): Promise<{ id: number; slug: string }> => {
    const slug = randomSlug();
    const { userId = null, visibility = 'public', status = 'approved', accessKey = null } = fields;
    const [row] = await query<{ id: number }>(
      `insert into posts (slug, user_id, visibility, moderation_status, access_key, title)
       values ($1, $2, $3, $4, $5, 'Title') returning id`,
      [slug, userId, visibility, status, accessKey],
    );
    return { id: row!.id, slug };
  };
  const comment = async (post: { slug: string }, caller: Caller, parentId: number | null = null) =>
    (await service.create(post.slug, caller, null, { content: 'Hello', parentId })).comment.id;
  const listPost = async (post: { slug: string }, viewer: Caller | null = null) =>
    (
      await lists.findPostPage(post.slug, viewer, null, {
        page: 1,
        limit: 250,
        sort: 'oldest',
        parentId: null,
      })
    ).comments;
  const idsIn = async (post: { slug: string }) => (await listPost(post)).map(({ comment: { id } }) => id);
  const commentCount = async ({ id }: { id: number }) =>
    (await query('select comment_count from posts where id = $1', [id]))[0]?.['comment_count'];
  const events = async (): Promise<{ type: string; data: Record<string, unknown> }[]> =>
    (
      await query<{ envelope: { type: string; data: Record<string, unknown> } }>(
        'select envelope from outbox order by id',
      )
    ).map(({ envelope }) => envelope);
  /** Plays the deletion of an account, as it begins. */
  const markDeleted = ({ userId }: Caller) =>
    domain.dataSource.transaction(async (manager) => {
      await manager.query('select from users where id = $1 for update', [userId]);
      await manager.query('update users set deleted_at = now() where id = $1', [userId]);
    });
  /** Whatever of the derived columns isn't what it derives from, and what should have gone. */
  const wrong = async (): Promise<unknown[]> => [
    ...(await query(
      `select id as post from posts p where comment_count <>
         (select count(*) from comments where post_id = p.id and deleted_at is null)`,
    )),
    ...(await query(
      `select id as comment from comments c where replies_count <> (select count(*) from comments where parent_id = c.id)
         or score <> (select coalesce(sum(value), 0) from comment_votes where comment_id = c.id)
         or (deleted_at is not null and replies_count = 0)
         or (deleted_at is not null) <> (user_id is null)`,
    )),
    ...(await query(
      `select c.id as orphan from comments c join comments p on p.id = c.parent_id where p.post_id <> c.post_id`,
    )),
  ];

  describe('writing', () => {
    it('counts, tells the bus, and keeps the text as it is', async () => {
      const [ada, bob] = [await createUser(), await createUser()];
      const post = await createPost({ userId: ada.userId });
      const first = await service.create(String(post.id), bob, null, {
        content: ' <b>“Ünï”</b>\n',
        parentId: null,
      });
      expect(first).toMatchObject({
        comment: {
          postId: post.id,
          userId: bob.userId,
          parentId: null,
          content: ' <b>“Ünï”</b>\n',
          score: 0,
        },
        author: { username: bob.username, avatar: null },
        vote: 0,
      });
      const reply = await comment(post, ada, first.comment.id);
      expect(await commentCount(post)).toBe(2);
      expect((await listPost(post)).map(({ comment: { id, repliesCount } }) => [id, repliesCount])).toEqual([
        [first.comment.id, 1],
        [reply, 0],
      ]);
      expect(await events()).toMatchObject([
        {
          type: 'comment.created',
          data: { comment_id: first.comment.id, post_id: post.id, parent_id: null, user_id: bob.userId },
        },
        { type: 'comment.created', data: { comment_id: reply, parent_id: first.comment.id } },
      ]);
      expect(await wrong()).toEqual([]);
    });

    it('refuses blank words and parents that aren’t comments of the post', async () => {
      const ada = await createUser();
      const [post, other] = [await createPost(), await createPost()];
      const elsewhere = await comment(other, ada);
      const buried = await comment(post, ada);
      await comment(post, ada, buried);
      await service.remove(buried, ada, null);
      for (const parentId of [elsewhere, buried, 999_999_999, Number.MAX_SAFE_INTEGER, 0, -1]) {
        const refused = service.create(post.slug, ada, null, { content: 'x', parentId });
        await expect(refused).rejects.toMatchObject({
          errors: { parent_id: ['The selected parent_id is invalid.'] },
        });
      }
      await expect(
        service.create(post.slug, ada, null, { content: ' \n\t', parentId: null }),
      ).rejects.toThrow(InvalidFieldsError);
      expect(await commentCount(post)).toBe(1);
      expect(await wrong()).toEqual([]);
    });

    it('asks for the post’s visibility, and the key or ownership of a private one', async () => {
      const [owner, stranger, moderator] = [
        await createUser(),
        await createUser(),
        await createUser('moderator'),
      ];
      const write = (post: { slug: string }, caller: Caller, key: string | null = null) =>
        service.create(post.slug, caller, key, { content: 'x', parentId: null });
      const secret = await createPost({ userId: owner.userId, visibility: 'private', accessKey: KEY });
      await expect(write(secret, stranger)).rejects.toThrow(NotFoundError);
      await expect(write(secret, stranger, 'simsim')).rejects.toThrow(NotFoundError);
      await expect(write(secret, moderator)).rejects.toThrow(ForbiddenError);
      const written = await write(secret, stranger, KEY);
      await write(secret, owner);
      await expect(service.vote(written.comment.id, stranger, null, 1)).rejects.toThrow(NotFoundError);
      await expect(service.vote(written.comment.id, moderator, null, 1)).rejects.toThrow(ForbiddenError);
      expect(await service.vote(written.comment.id, stranger, KEY, 1)).toMatchObject({ score: 1 });
      expect(await service.vote(written.comment.id, owner, null, 1)).toMatchObject({ score: 2 });
      const request = { page: 1, limit: 10, sort: 'oldest' as const, parentId: null };
      for (const [viewer, key] of [
        [null, null],
        [stranger, 'simsim'],
      ] as const) {
        await expect(lists.findPostPage(secret.slug, viewer, key, request)).rejects.toThrow(NotFoundError);
      }
      for (const [viewer, key] of [
        [null, KEY],
        [owner, null],
        [moderator, null],
      ] as const) {
        expect(await lists.findPostPage(secret.slug, viewer, key, request)).toMatchObject({ total: 2 });
      }
      const rejected = await createPost({ userId: owner.userId, status: 'rejected' });
      await expect(write(rejected, stranger)).rejects.toThrow(NotFoundError);
      await write(rejected, owner);
      await expect(write({ slug: 'nosuch1' }, owner)).rejects.toThrow(NotFoundError);
    });

    it('is not for an account that is deleted already', async () => {
      const [ada, gone] = [await createUser(), await createUser()];
      const post = await createPost();
      const id = await comment(post, ada);
      await markDeleted(gone);
      await expect(comment(post, gone)).rejects.toThrow(UnauthenticatedError);
      await expect(service.vote(id, gone, null, 1)).rejects.toThrow(UnauthenticatedError);
      expect(await wrong()).toEqual([]);
    });
  });

  describe('deleting', () => {
    it('leaves nothing of a comment without replies', async () => {
      const ada = await createUser();
      const post = await createPost();
      const id = await comment(post, ada);
      await service.vote(id, ada, null, 1);
      await service.remove(id, ada, null);
      expect(await listPost(post)).toEqual([]);
      expect(await commentCount(post)).toBe(0);
      expect((await events()).at(-1)).toMatchObject({
        type: 'comment.deleted',
        data: { comment_id: id, post_id: post.id, user_id: ada.userId, tombstone: false },
      });
      await expect(service.remove(id, ada, null)).rejects.toThrow(NotFoundError);
      await expect(service.vote(id, ada, null, 1)).rejects.toThrow(NotFoundError);
    });

    it('leaves a tombstone where there are replies, which goes with the last of them, up the chain', async () => {
      const [ada, bob] = [await createUser(), await createUser()];
      const post = await createPost();
      const top = await comment(post, ada);
      const [middle, beside] = [await comment(post, ada, top), await comment(post, bob, top)];
      const leaf = await comment(post, bob, middle);
      await service.remove(middle, ada, null);
      await service.remove(top, ada, null);
      const [tombstone] = await listPost(post);
      expect(tombstone).toMatchObject({
        comment: { id: top, content: '[deleted]', userId: null, repliesCount: 2 },
        author: null,
      });
      expect(await idsIn(post)).toEqual([top, middle, beside, leaf]);
      expect(await commentCount(post)).toBe(2);
      expect((await events()).at(-1)).toMatchObject({ data: { comment_id: top, tombstone: true } });
      for (const id of [top, middle]) {
        await expect(service.remove(id, ada, null)).rejects.toThrow(NotFoundError);
        await expect(service.vote(id, ada, null, 1)).rejects.toThrow(NotFoundError);
      }
      await service.remove(leaf, bob, null);
      expect(await idsIn(post)).toEqual([top, beside]);
      await service.remove(beside, bob, null);
      expect(await idsIn(post)).toEqual([]);
      expect(await commentCount(post)).toBe(0);
    });

    it('is for the author, the post’s owner and moderators; 404 for whoever can’t see the post', async () => {
      const [owner, author, stranger, moderator] = [
        await createUser(),
        await createUser(),
        await createUser(),
        await createUser('moderator'),
      ];
      const post = await createPost({ userId: owner.userId });
      const ids = [
        await comment(post, author),
        await comment(post, author),
        await comment(post, author),
      ] as const;
      await expect(service.remove(ids[0], stranger, null)).rejects.toThrow(ForbiddenError);
      await service.remove(ids[0], author, null);
      await service.remove(ids[1], owner, null);
      await service.remove(ids[2], moderator, null);
      const kept = [await comment(post, author), await comment(post, author)] as const;
      await query(`update posts set visibility = 'private', access_key = $2 where id = $1`, [post.id, KEY]);
      await expect(service.remove(kept[0], stranger, null)).rejects.toThrow(NotFoundError);
      await expect(service.remove(kept[0], stranger, KEY)).rejects.toThrow(ForbiddenError);
      await service.remove(kept[0], moderator, null);
      // One’s own words are in one’s own list, and can always be taken back.
      await service.remove(kept[1], author, null);
      const guests = await createPost();
      await expect(service.remove(await comment(guests, author), stranger, null)).rejects.toThrow(
        ForbiddenError,
      );
    });
  });

  describe('lists', () => {
    it('of a post are in each order, of one comment’s replies, in pages, with the viewer’s votes', async () => {
      const [ada, bob] = [await createUser(), await createUser()];
      const [post, other] = [await createPost(), await createPost()];
      const [a, b, c] = [await comment(post, ada), await comment(post, ada), await comment(post, bob)];
      const reply = await comment(post, bob, a);
      const elsewhere = await comment(other, ada);
      await service.vote(b, ada, null, 1);
      await service.vote(b, bob, null, 1);
      await service.vote(c, ada, null, -1);
      const page = async (request: object, viewer: Caller | null = null) => {
        const { comments, total } = await lists.findPostPage(post.slug, viewer, null, {
          page: 1,
          limit: 10,
          sort: 'oldest',
          parentId: null,
          ...request,
        });
        return {
          ids: comments.map((view) => view.comment.id),
          votes: comments.map(({ vote }) => vote),
          total,
        };
      };
      expect(await page({})).toEqual({ ids: [a, b, c, reply], votes: [0, 0, 0, 0], total: 4 });
      expect(await page({ sort: undefined })).toMatchObject({ ids: [a, b, c, reply] });
      expect(await page({ sort: 'latest' })).toMatchObject({ ids: [reply, c, b, a] });
      expect(await page({ sort: 'top' }, ada)).toMatchObject({ ids: [b, a, reply, c], votes: [1, 0, 0, -1] });
      expect(await page({ page: 2, limit: 3 })).toMatchObject({ ids: [reply], total: 4 });
      expect(await page({ page: 3, limit: 3 })).toMatchObject({ ids: [], total: 4 });
      expect(await page({ page: 2_147_483_647, limit: 250 })).toMatchObject({ ids: [], total: 4 });
      expect(await page({ parentId: a })).toMatchObject({ ids: [reply], total: 1 });
      for (const parentId of [b, elsewhere, Number.MAX_SAFE_INTEGER]) {
        expect(await page({ parentId })).toMatchObject({ ids: [], total: 0 });
      }
    });

    it('cost the same number of statements whatever the length of the page', async () => {
      const people = await Promise.all([createUser(), createUser(), createUser()]);
      const post = await createPost();
      for (let i = 0; i < 12; i++) {
        const id = await comment(post, people[i % 3]!);
        await service.vote(id, people[0]!, null, 1);
      }
      const sent = jest.spyOn(Client.prototype, 'query');
      const statementsOf = async (read: () => Promise<{ comments: readonly unknown[] }>, length: number) => {
        sent.mockClear();
        expect((await read()).comments).toHaveLength(length);
        return sent.mock.calls.length;
      };
      const [viewer] = people;
      const ofPost = (limit: number) => () =>
        lists.findPostPage(post.slug, viewer!, null, { page: 1, limit, sort: 'top', parentId: null });
      const ofUser = (limit: number) => () =>
        lists.findUserPage(viewer!.username, viewer!, { page: 1, limit });
      expect(await statementsOf(ofPost(1), 1)).toBe(5);
      expect(await statementsOf(ofPost(12), 12)).toBe(5);
      expect(await statementsOf(ofUser(1), 1)).toBe(5);
      expect(await statementsOf(ofUser(4), 4)).toBe(5);
      sent.mockRestore();
    });

    it('of an account leave out for others what they couldn’t find, and nothing for itself', async () => {
      const [ada, bob, moderator] = [await createUser(), await createUser(), await createUser('moderator')];
      const posts = {
        approved: await createPost(),
        pending: await createPost({ status: 'pending' }),
        nsfw: await createPost({ status: 'nsfw' }),
        rejected: await createPost({ status: 'rejected', userId: ada.userId }),
        hidden: await createPost({ visibility: 'hidden' }),
        private: await createPost({ visibility: 'private', accessKey: KEY, userId: ada.userId }),
      };
      for (const post of Object.values(posts)) await comment(post, ada);
      await comment(posts.approved, bob);
      const page = async (viewer: Caller | null, request: object = {}) => {
        const { comments, total } = await lists.findUserPage(ada.username.toUpperCase(), viewer, {
          page: 1,
          limit: 10,
          ...request,
        });
        expect(comments).toHaveLength(total);
        return comments.map(({ post }) => post.slug);
      };
      const slugs = (...names: (keyof typeof posts)[]) => names.map((name) => posts[name].slug);
      for (const viewer of [null, bob, moderator]) {
        expect(await page(viewer)).toEqual(slugs('pending', 'approved'));
        expect(await page(viewer, { nsfw: true })).toEqual(slugs('nsfw', 'pending', 'approved'));
      }
      const all = slugs('private', 'hidden', 'rejected', 'nsfw', 'pending', 'approved');
      expect(await page(ada)).toEqual(all);
      await query(`update comments set created_at = now() - interval '40 days' where post_id = any($1)`, [
        [posts.approved.id, posts.nsfw.id],
      ]);
      expect(await page(ada, { period: 'year' })).toEqual(all);
      expect(await page(ada, { period: 'month' })).toEqual(slugs('private', 'hidden', 'rejected', 'pending'));
      expect(await page(null, { period: 'month', nsfw: true })).toEqual(slugs('pending'));
      const second = await lists.findUserPage(ada.username, ada, { page: 2, limit: 4 });
      expect([second.total, second.comments.map(({ post }) => post.slug)]).toEqual([
        6,
        slugs('pending', 'approved'),
      ]);
      await expect(lists.findUserPage('nobody', null, { page: 1, limit: 1 })).rejects.toThrow(NotFoundError);
    });
  });

  describe('under races', () => {
    /** What everybody may answer while things go under their hands. */
    const settle = async (work: readonly Promise<unknown>[]): Promise<void> => {
      for (const result of await Promise.allSettled(work)) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DomainError);
      }
    };
    const crowd = (size: number): Promise<Caller[]> =>
      Promise.all(Array.from({ length: size }, () => createUser()));
    it('replies and deletions at once leave every thread whole', async () => {
      const people = await crowd(4);
      const post = await createPost({ userId: people[0]!.userId });
      for (let round = 0; round < 12; round++) {
        const top = await comment(post, people[1]!);
        const replies = await Promise.all(people.map((person) => comment(post, person, top)));
        await settle([
          service.remove(top, people[1]!, null),
          ...people.map((person) => comment(post, person, top)),
          ...replies.map((id, index) => service.remove(id, people[index]!, null)),
          ...replies.map((id, index) => comment(post, people[(index + 1) % 4]!, id)),
          ...replies.map((id) => service.remove(id, people[0]!, null)),
          ...replies.map((id, index) => service.vote(id, people[index]!, null, 1)),
        ]);
        expect(await wrong()).toEqual([]);
      }
      for (const {
        comment: { id },
      } of await listPost(post))
        await settle([service.remove(id, people[0]!, null)]);
      expect(await listPost(post)).toEqual([]);
      expect(await commentCount(post)).toBe(0);
    }, 120_000);

    it('a post deleted under everybody’s hands takes all with it', async () => {
      const people = await crowd(5);
      for (let round = 0; round < 8; round++) {
        const post = await createPost({ userId: people[0]!.userId });
        const ids = await Promise.all(people.map((person) => comment(post, person)));
        const work = people.flatMap((person, index) => [
          comment(post, person, ids[index]),
          service.vote(ids[(index + 1) % 5]!, person, null, 1),
          listPost(post),
          service.remove(ids[(index + 2) % 5]!, people[0]!, null),
          comment(post, person, ids[(index + 2) % 5]),
        ]);
        await settle([query('delete from posts where id = $1', [post.id]), ...work]);
        expect(await query('select from comments where post_id = $1', [post.id])).toEqual([]);
      }
      expect(await query('select from comment_votes')).toEqual([]);
    }, 120_000);

    it('an account’s erasure leaves nothing of its making, while it and others go on', async () => {
      const [people, moderator] = [await crowd(5), await createUser('moderator')];
      const leaving = people[0]!;
      const posts = [
        await createPost(),
        await createPost(),
        await createPost({ visibility: 'hidden' }),
      ] as const;
      const tops: number[] = [];
      for (const post of posts) {
        for (const person of people) tops.push(await comment(post, person));
      }
      const erase = async () => {
        await markDeleted(leaving);
        while ((await service.eraseCommentsOf(leaving.userId, 3)) > 0);
        while ((await service.eraseVotesOf(leaving.userId, 4)) > 0);
      };
      const work = people.flatMap((person, index) =>
        tops.flatMap((top, at) => [
          comment(posts[Math.floor(at / 5)]!, person, top),
          service.vote(top, person, null, (index + at) % 3 === 0 ? -1 : 1),
          ...((index + at) % 4 === 0 ? [service.remove(top, moderator, null)] : []),
        ]),
      );
      await settle([erase(), ...work]);
      // What ran before the account was marked is erased by the time that the erasure is done.
      for (const table of ['comments', 'comment_votes']) {
        expect(await query(`select from ${table} where user_id = $1`, [leaving.userId])).toEqual([]);
      }
      expect(await wrong()).toEqual([]);
      const told = await events();
      expect(
        told.some(
          ({ type, data }) =>
            type === 'vote.changed' && data['user_id'] === leaving.userId && data['to'] === 0,
        ),
      ).toBe(true);
      expect(
        told.some(({ type, data }) => type === 'comment.deleted' && data['user_id'] === leaving.userId),
      ).toBe(true);
    }, 120_000);
  });
});
