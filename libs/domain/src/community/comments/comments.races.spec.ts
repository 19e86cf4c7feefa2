import { DomainError } from '../../base/errors/domain-error';
import type { Caller } from '../../base/access/caller';
import { useComments } from '../../../test/comments-stage';

describe('CommentsService', () => {
  const stage = useComments();
  const { query, createUser, createPost, comment, listPost, commentCount, events, markDeleted, wrong } =
    stage;

  describe('under races', () => {
    /** The errors that are allowed while items are being deleted. */
    const settle = async (work: readonly Promise<unknown>[]): Promise<void> => {
      for (const result of await Promise.allSettled(work)) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DomainError);
      }
    };
    const crowd = (size: number): Promise<Caller[]> =>
      Promise.all(Array.from({ length: size }, () => createUser()));
    it('keeps every thread consistent under simultaneous replies and deletions', async () => {
      const people = await crowd(4);
      const post = await createPost({ userId: people[0]!.userId });
      for (let round = 0; round < 12; round++) {
        const top = await comment(post, people[1]!);
        const replies = await Promise.all(people.map((person) => comment(post, person, top)));
        await settle([
          stage.service.remove({ id: top }, people[1]!, null),
          ...people.map((person) => comment(post, person, top)),
          ...replies.map((id, index) => stage.service.remove({ id: id }, people[index]!, null)),
          ...replies.map((id, index) => comment(post, people[(index + 1) % 4]!, id)),
          stage.service.edit({ id: top }, people[1]!, null, `Round ${round}`),
          ...replies.map((id, index) => stage.service.edit({ id }, people[index]!, null, 'Edited')),
          ...replies.map((id) => stage.service.remove({ id: id }, people[0]!, null)),
          ...replies.map((id, index) =>
            stage.service.vote({ id: id }, people[index]!, { accessKey: null, value: 1 }),
          ),
        ]);
        expect(await wrong()).toEqual([]);
      }
      for (const {
        comment: { id },
      } of await listPost(post))
        await settle([stage.service.remove({ id: id }, people[0]!, null)]);
      expect(await listPost(post)).toEqual([]);
      expect(await commentCount(post)).toBe(0);
    });

    it('deletes all comments with a post while others comment and vote', async () => {
      const people = await crowd(5);
      for (let round = 0; round < 8; round++) {
        const post = await createPost({ userId: people[0]!.userId });
        const ids = await Promise.all(people.map((person) => comment(post, person)));
        const work = people.flatMap((person, index) => [
          comment(post, person, ids[index]),
          stage.service.vote({ id: ids[(index + 1) % 5]! }, person, { accessKey: null, value: 1 }),
          listPost(post),
          stage.service.remove({ id: ids[(index + 2) % 5]! }, people[0]!, null),
          comment(post, person, ids[(index + 2) % 5]),
        ]);
        await settle([query('delete from posts where id = $1', [post.id]), ...work]);
        expect(await query('select from comments where post_id = $1', [post.id])).toEqual([]);
      }
      expect(await query('select from comment_votes')).toEqual([]);
    });

    it('erases everything of an account while it and others comment and vote', async () => {
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
      // The deletion may overtake all other votes, and the moderator removes the comments.
      const kept = await comment(posts[0], people[1]!);
      await stage.service.vote({ id: kept }, leaving, { accessKey: null, value: 1 });
      const erase = async () => {
        await markDeleted(leaving);
        while ((await stage.service.eraseCommentsOf(leaving.userId, 3)) > 0);
        while ((await stage.service.eraseVotesOf(leaving.userId, 4)) > 0);
      };
      const work = people.flatMap((person, index) =>
        tops.flatMap((top, at) => [
          comment(posts[Math.floor(at / 5)]!, person, top),
          stage.service.vote({ id: top }, person, {
            accessKey: null,
            value: (index + at) % 3 === 0 ? -1 : 1,
          }),
          ...((index + at) % 4 === 0 ? [stage.service.remove({ id: top }, moderator, null)] : []),
        ]),
      );
      await settle([erase(), ...work]);
      // What the account did before its deletion is erased when the erasure ends.
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
    });
  });
});
