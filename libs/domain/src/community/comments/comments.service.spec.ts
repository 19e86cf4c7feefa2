import {
  ForbiddenError,
  InvalidFieldsError,
  NotFoundError,
  UnauthenticatedError,
} from '../../base/errors/domain-error';
import type { Caller } from '../../base/access/caller';
import { KEY, useComments } from '../../../test/comments-stage';

describe('CommentsService', () => {
  const stage = useComments();
  const {
    query,
    createUser,
    createPost,
    comment,
    listPost,
    idsIn,
    commentCount,
    events,
    markDeleted,
    wrong,
  } = stage;

  describe('writing', () => {
    it('counts the comment, publishes the event and keeps the text unchanged', async () => {
      const [ada, bob] = [await createUser(), await createUser()];
      const post = await createPost({ userId: ada.userId });
      const first = await stage.service.create(String(post.id), bob, null, {
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

    it('rejects blank content and parents that are not comments of the post', async () => {
      const ada = await createUser();
      const [post, other] = [await createPost(), await createPost()];
      const elsewhere = await comment(other, ada);
      const buried = await comment(post, ada);
      await comment(post, ada, buried);
      await stage.service.remove({ id: buried }, ada, null);
      for (const parentId of [elsewhere, buried, 999_999_999, Number.MAX_SAFE_INTEGER, 0, -1]) {
        const refused = stage.service.create(post.slug, ada, null, { content: 'x', parentId });
        await expect(refused).rejects.toMatchObject({
          errors: { parent_id: ['The selected parent_id is invalid.'] },
        });
      }
      await expect(
        stage.service.create(post.slug, ada, null, { content: ' \n\t', parentId: null }),
      ).rejects.toThrow(InvalidFieldsError);
      expect(await commentCount(post)).toBe(1);
      expect(await wrong()).toEqual([]);
    });

    it('requires that the caller can see the post, and has the key of a private post or owns it', async () => {
      const [owner, stranger, moderator] = [
        await createUser(),
        await createUser(),
        await createUser('moderator'),
      ];
      const write = (post: { slug: string }, caller: Caller, key: string | null = null) =>
        stage.service.create(post.slug, caller, key, { content: 'x', parentId: null });
      const secret = await createPost({ userId: owner.userId, visibility: 'private', accessKey: KEY });
      await expect(write(secret, stranger)).rejects.toThrow(NotFoundError);
      await expect(write(secret, stranger, 'simsim')).rejects.toThrow(NotFoundError);
      await expect(write(secret, moderator)).rejects.toThrow(ForbiddenError);
      const written = await write(secret, stranger, KEY);
      await write(secret, owner);
      await expect(
        stage.service.vote({ id: written.comment.id }, stranger, { accessKey: null, value: 1 }),
      ).rejects.toThrow(NotFoundError);
      await expect(
        stage.service.vote({ id: written.comment.id }, moderator, { accessKey: null, value: 1 }),
      ).rejects.toThrow(ForbiddenError);
      expect(
        await stage.service.vote({ id: written.comment.id }, stranger, { accessKey: KEY, value: 1 }),
      ).toMatchObject({
        score: 1,
      });
      expect(
        await stage.service.vote({ id: written.comment.id }, owner, { accessKey: null, value: 1 }),
      ).toMatchObject({
        score: 2,
      });
      const request = { page: 1, limit: 10, sort: 'oldest' as const, parentId: null };
      for (const [viewer, key] of [
        [null, null],
        [stranger, 'simsim'],
      ] as const) {
        await expect(
          stage.lists.findPostPage(secret.slug, { viewer, accessKey: key }, request),
        ).rejects.toThrow(NotFoundError);
      }
      for (const [viewer, key] of [
        [null, KEY],
        [owner, null],
        [moderator, null],
      ] as const) {
        expect(
          await stage.lists.findPostPage(secret.slug, { viewer, accessKey: key }, request),
        ).toMatchObject({
          total: 2,
        });
      }
      const rejected = await createPost({ userId: owner.userId, status: 'rejected' });
      await expect(write(rejected, stranger)).rejects.toThrow(NotFoundError);
      await write(rejected, owner);
      await expect(write({ slug: 'nosuch1' }, owner)).rejects.toThrow(NotFoundError);
    });

    it('rejects a deleted account', async () => {
      const [ada, gone] = [await createUser(), await createUser()];
      const post = await createPost();
      const id = await comment(post, ada);
      await markDeleted(gone);
      await expect(comment(post, gone)).rejects.toThrow(UnauthenticatedError);
      await expect(stage.service.vote({ id: id }, gone, { accessKey: null, value: 1 })).rejects.toThrow(
        UnauthenticatedError,
      );
      expect(await wrong()).toEqual([]);
    });
  });

  describe('editing', () => {
    const edit = (id: number, caller: Caller, content = 'Changed', key: string | null = null) =>
      stage.service.edit({ id }, caller, key, content);

    it('changes the content, marks the comment as edited and publishes the event, unless the content is the same', async () => {
      const ada = await createUser();
      const post = await createPost();
      const id = await comment(post, ada);
      await stage.service.vote({ id }, ada, { accessKey: null, value: 1 });
      expect(await edit(id, ada, 'Hello')).toMatchObject({ comment: { editedAt: null }, vote: 1 });
      expect(await edit(id, ada)).toMatchObject({
        comment: { id, content: 'Changed', score: 1, editedAt: expect.any(Date) },
        author: { username: ada.username },
        vote: 1,
      });
      const [shown] = await listPost(post);
      expect(await edit(id, ada)).toMatchObject({ comment: shown!.comment });
      expect((await events()).filter(({ type }) => type === 'comment.updated')).toMatchObject([
        { data: { comment_id: id, post_id: post.id, parent_id: null, user_id: ada.userId } },
      ]);
      await expect(edit(id, ada, ' \n')).rejects.toThrow(InvalidFieldsError);
      expect(await commentCount(post)).toBe(1);
      expect(await wrong()).toEqual([]);
    });

    // Promise [visibility]: A comment can be changed only while its author may comment on the post.
    it('is allowed to the author only, while they may comment on the post; tombstones are not found', async () => {
      const [owner, author, moderator] = [
        await createUser(),
        await createUser(),
        await createUser('moderator'),
      ];
      const post = await createPost({ userId: owner.userId, visibility: 'hidden' });
      const id = await comment(post, author);
      await edit(id, author, 'Only by its id');
      for (const other of [owner, moderator]) await expect(edit(id, other)).rejects.toThrow(ForbiddenError);
      await expect(edit(id, await createUser())).rejects.toThrow(NotFoundError);
      await query(`update posts set visibility = 'private', access_key = $2 where id = $1`, [post.id, KEY]);
      await expect(edit(id, author)).rejects.toThrow(ForbiddenError);
      await expect(edit(id, moderator)).rejects.toThrow(ForbiddenError);
      await expect(edit(id, await createUser())).rejects.toThrow(NotFoundError);
      await edit(id, author, 'With the key', KEY);
      await query(
        `update posts set visibility = 'public', access_key = null, moderation_status = 'rejected' where id = $1`,
        [post.id],
      );
      await expect(edit(id, author)).rejects.toThrow(ForbiddenError);
      await query(`update posts set moderation_status = 'approved' where id = $1`, [post.id]);
      await comment(post, owner, id);
      await stage.service.remove({ id }, author, null);
      for (const one of [author, owner, moderator])
        await expect(edit(id, one)).rejects.toThrow(NotFoundError);
      expect((await listPost(post))[0]).toMatchObject({ comment: { content: '[deleted]', editedAt: null } });
    });
  });

  describe('deleting', () => {
    it('removes a comment without replies', async () => {
      const ada = await createUser();
      const post = await createPost();
      const id = await comment(post, ada);
      await stage.service.vote({ id: id }, ada, { accessKey: null, value: 1 });
      await stage.service.remove({ id: id }, ada, null);
      expect(await listPost(post)).toEqual([]);
      expect(await commentCount(post)).toBe(0);
      expect((await events()).at(-1)).toMatchObject({
        type: 'comment.deleted',
        data: { comment_id: id, post_id: post.id, user_id: ada.userId, tombstone: false },
      });
      await expect(stage.service.remove({ id: id }, ada, null)).rejects.toThrow(NotFoundError);
      await expect(stage.service.vote({ id: id }, ada, { accessKey: null, value: 1 })).rejects.toThrow(
        NotFoundError,
      );
    });

    it('leaves a tombstone for a comment with replies, which is removed with its last reply, up the thread', async () => {
      const [ada, bob] = [await createUser(), await createUser()];
      const post = await createPost();
      const top = await comment(post, ada);
      const [middle, beside] = [await comment(post, ada, top), await comment(post, bob, top)];
      const leaf = await comment(post, bob, middle);
      await stage.service.remove({ id: middle }, ada, null);
      await stage.service.remove({ id: top }, ada, null);
      const [tombstone] = await listPost(post);
      expect(tombstone).toMatchObject({
        comment: { id: top, content: '[deleted]', userId: null, repliesCount: 2 },
        author: null,
      });
      expect(await idsIn(post)).toEqual([top, middle, beside, leaf]);
      expect(await commentCount(post)).toBe(2);
      expect((await events()).at(-1)).toMatchObject({ data: { comment_id: top, tombstone: true } });
      for (const id of [top, middle]) {
        await expect(stage.service.remove({ id: id }, ada, null)).rejects.toThrow(NotFoundError);
        await expect(stage.service.vote({ id: id }, ada, { accessKey: null, value: 1 })).rejects.toThrow(
          NotFoundError,
        );
      }
      await stage.service.remove({ id: leaf }, bob, null);
      expect(await idsIn(post)).toEqual([top, beside]);
      await stage.service.remove({ id: beside }, bob, null);
      expect(await idsIn(post)).toEqual([]);
      expect(await commentCount(post)).toBe(0);
    });

    it('is allowed to the author, the post’s owner and moderators; 404 for others who can not see the post', async () => {
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
      await expect(stage.service.remove({ id: ids[0] }, stranger, null)).rejects.toThrow(ForbiddenError);
      await stage.service.remove({ id: ids[0] }, author, null);
      await stage.service.remove({ id: ids[1] }, owner, null);
      await stage.service.remove({ id: ids[2] }, moderator, null);
      const kept = [await comment(post, author), await comment(post, author)] as const;
      await query(`update posts set visibility = 'private', access_key = $2 where id = $1`, [post.id, KEY]);
      await expect(stage.service.remove({ id: kept[0] }, stranger, null)).rejects.toThrow(NotFoundError);
      await expect(stage.service.remove({ id: kept[0] }, stranger, KEY)).rejects.toThrow(ForbiddenError);
      await stage.service.remove({ id: kept[0] }, moderator, null);
      // Users find their own comments in their own lists, and can always delete them.
      await stage.service.remove({ id: kept[1] }, author, null);
      const guests = await createPost();
      await expect(
        stage.service.remove({ id: await comment(guests, author) }, stranger, null),
      ).rejects.toThrow(ForbiddenError);
    });
  });
});
