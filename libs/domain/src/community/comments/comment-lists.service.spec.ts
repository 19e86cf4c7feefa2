import { NotFoundError } from '../../base/errors/domain-error';
import type { Caller } from '../../base/access/caller';
import { KEY, useComments } from '../../../test/comments-stage';
import { countStatements } from '../../../test/count-statements';

describe('CommentListsService', () => {
  const stage = useComments();
  const { query, createUser, createPost, comment } = stage;

  describe('lists', () => {
    it('of a post have pages in each order, can be limited to replies, and contain the viewer’s votes', async () => {
      const [ada, bob] = [await createUser(), await createUser()];
      const [post, other] = [await createPost(), await createPost()];
      const [a, b, c] = [await comment(post, ada), await comment(post, ada), await comment(post, bob)];
      const reply = await comment(post, bob, a);
      const elsewhere = await comment(other, ada);
      await stage.service.vote({ id: b }, ada, { accessKey: null, value: 1 });
      await stage.service.vote({ id: b }, bob, { accessKey: null, value: 1 });
      await stage.service.vote({ id: c }, ada, { accessKey: null, value: -1 });
      const page = async (request: object, viewer: Caller | null = null) => {
        const { comments, total } = await stage.lists.findPostPage(
          post.slug,
          { viewer },
          {
            page: 1,
            limit: 10,
            sort: 'oldest',
            parentId: null,
            ...request,
          },
        );
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

    it('take the same number of statements for any length of a page', async () => {
      const people = await Promise.all([createUser(), createUser(), createUser()]);
      const post = await createPost();
      for (let i = 0; i < 12; i++) {
        const id = await comment(post, people[i % 3]!);
        await stage.service.vote({ id: id }, people[0]!, { accessKey: null, value: 1 });
      }
      const statementsOf = (read: () => Promise<{ comments: readonly unknown[] }>, length: number) =>
        countStatements(async () => expect((await read()).comments).toHaveLength(length));
      const [viewer] = people;
      const ofPost = (limit: number) => () =>
        stage.lists.findPostPage(
          post.slug,
          { viewer: viewer! },
          { page: 1, limit, sort: 'top', parentId: null },
        );
      const ofUser = (limit: number) => () =>
        stage.lists.findUserPage(viewer!.username, viewer!, { page: 1, limit });
      expect(await statementsOf(ofPost(1), 1)).toBe(6);
      expect(await statementsOf(ofPost(12), 12)).toBe(6);
      expect(await statementsOf(ofUser(1), 1)).toBe(5);
      expect(await statementsOf(ofUser(4), 4)).toBe(5);
    });

    it('of a user leave out for others what they can not find, and nothing for the user', async () => {
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
        const { comments, total } = await stage.lists.findUserPage(ada.username.toUpperCase(), viewer, {
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
      const second = await stage.lists.findUserPage(ada.username, ada, { page: 2, limit: 4 });
      expect([second.total, second.comments.map(({ post }) => post.slug)]).toEqual([
        6,
        slugs('pending', 'approved'),
      ]);
      await expect(stage.lists.findUserPage('nobody', null, { page: 1, limit: 1 })).rejects.toThrow(
        NotFoundError,
      );
    });
  });
});
