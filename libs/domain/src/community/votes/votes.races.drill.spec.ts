import { useDomain } from '@vitrine/testing';
import fc from 'fast-check';
import { CommentsModule } from '../comments/comments.module';
import { CommentsService } from '../comments/comments.service';
import { DomainError } from '../../base/errors/domain-error';
import { PostsModule } from '../../posts/posts/posts.module';
import { PostsService } from '../../posts/posts/posts.service';
import { randomSlug } from '../../base/identifiers/slug';
import type { Caller } from '../../base/access/caller';
import { insertCaller } from '../../../test/insert-caller';
import { type VoteOutcome, castVote, type VoteState, type VoteValue } from './vote.rules';
import type { VoteTarget } from './vote.repository';

/** An item to vote on, and a user's vote on it. */
interface Thing {
  readonly target: VoteTarget;
  readonly id: number;
}
interface Step {
  readonly thing: number;
  readonly value: VoteValue;
}

describe('votes under races', () => {
  const domain = useDomain([PostsModule, CommentsModule]);
  let posts: PostsService;
  let comments: CommentsService;
  let people: Caller[];

  beforeAll(async () => {
    [posts, comments] = [domain.get(PostsService), domain.get(CommentsService)];
    people = await Promise.all(Array.from({ length: 50 }, createUser));
    people.sort((one, other) => one.userId - other.userId);
  });

  const insert = async (sql: string, values: unknown[]): Promise<number> =>
    (await domain.dataSource.query(sql, values))[0].id;
  const createUser = (): Promise<Caller> => insertCaller(domain.dataSource);
  const createPost = async (): Promise<Thing> => ({
    target: 'post',
    id: await insert(
      `insert into posts (slug, user_id, moderation_status) values ($1, $2, 'approved') returning id`,
      [randomSlug(), people[0]?.userId],
    ),
  });
  const createComment = async (post: Thing): Promise<Thing> => ({
    target: 'comment',
    id: await insert(`insert into comments (post_id, user_id, content) values ($1, $2, 'x') returning id`, [
      post.id,
      people[0]?.userId,
    ]),
  });
  const vote = ({ target, id }: Thing, person: Caller, value: VoteValue): Promise<VoteOutcome> =>
    target === 'post'
      ? posts.vote(String(id), person, { accessKey: null, value })
      : comments.vote({ id }, person, { accessKey: null, value });
  const stored = async ({ target, id }: Thing): Promise<{ score: number; votes: [number, VoteState][] }> => {
    const [row] = await domain.dataSource.query(`select score from ${target}s where id = $1`, [id]);
    const votes: { user_id: number; value: VoteState }[] = await domain.dataSource.query(
      `select user_id, value from ${target}_votes where ${target}_id = $1 order by user_id`,
      [id],
    );
    return { score: row.score, votes: votes.map((one) => [one.user_id, one.value]) };
  };

  /**
   * Several users vote at the same time, each step by step. Each vote has the result that it would have without the
   * other users, and at the end the state is the same as if they had voted one after the other.
   */
  const voteAtOnce = async (
    things: readonly Thing[],
    scripts: readonly (readonly Step[])[],
  ): Promise<void> => {
    const states = things.map(() => new Map<number, VoteState>());
    await Promise.all(
      scripts.map(async (script, index) => {
        const person = people[index];
        if (!person) throw new Error('There are more scripts than people');
        for (const { thing, value } of script) {
          const voted = things[thing];
          if (!voted) throw new Error(`There is no thing ${thing}`);
          const expected = castVote(states[thing]?.get(person.userId) ?? 0, { value });
          expect(await vote(voted, person, value)).toMatchObject(expected);
          states[thing]?.set(person.userId, expected.to);
        }
      }),
    );
    for (const [index, thing] of things.entries()) {
      const votes = [...(states[index] ?? [])].filter(([, state]) => state !== 0).sort(([a], [b]) => a - b);
      expect(await stored(thing)).toEqual({ votes, score: votes.reduce((sum, [, state]) => sum + state, 0) });
    }
  };

  // Promise [community]: Simultaneous votes leave an exact score.
  it('of 50 users with 40 votes each, on a post and a comment', async () => {
    const things = [await createPost(), await createComment(await createPost())];
    const steps = fc.record({
      thing: fc.nat({ max: 1 }),
      value: fc.constantFrom<VoteValue>(1, 1, -1),
    });
    const [scripts] = fc.sample(
      fc.array(fc.array(steps, { minLength: 40, maxLength: 40 }), { minLength: 50, maxLength: 50 }),
      1,
    );
    await voteAtOnce(things, scripts ?? []);
  });

  it('on one post are refused one by one', async () => {
    const [post, owner] = [await createPost(), people[0]!];
    const blocked = new Set(people.slice(10, 15));
    for (const { userId } of blocked) {
      await domain.dataSource.query('insert into blocks (blocker_id, blocked_id) values ($1, $2)', [
        owner.userId,
        userId,
      ]);
    }
    const outcomes = await Promise.allSettled(people.slice(1, 30).map((person) => vote(post, person, 1)));
    const voters = people.slice(1, 30).filter((person) => !blocked.has(person));
    expect(await stored(post)).toEqual({
      score: voters.length,
      votes: voters.map(({ userId }) => [userId, 1]),
    });
    for (const [at, person] of people.slice(1, 30).entries()) {
      expect(outcomes[at]?.status).toBe(blocked.has(person) ? 'rejected' : 'fulfilled');
    }
    await domain.dataSource.query('truncate blocks');
  });

  it('of a few users on a few items', async () => {
    const step = fc.record({ thing: fc.nat({ max: 2 }), value: fc.constantFrom<VoteValue>(1, -1) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 6 }), async (scripts) => {
        const post = await createPost();
        await voteAtOnce([post, await createComment(post), await createComment(post)], scripts);
      }),
      { numRuns: 25 },
    );
  });

  it('on items that are being deleted are rejected and leave nothing', async () => {
    for (let round = 0; round < 10; round++) {
      const post = await createPost();
      const comment = await createComment(post);
      const work = people
        .slice(0, 12)
        .flatMap((person) => [vote(post, person, 1), vote(comment, person, -1), vote(post, person, -1)]);
      const gone = domain.dataSource.query('delete from posts where id = $1', [post.id]);
      for (const result of await Promise.allSettled(work)) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DomainError);
      }
      await gone;
      expect(await domain.dataSource.query('select from post_votes where post_id = $1', [post.id])).toEqual(
        [],
      );
      expect(
        await domain.dataSource.query('select from comment_votes where comment_id = $1', [comment.id]),
      ).toEqual([]);
    }
  });

  it('of an erased account are removed in batches while others vote, and are published', async () => {
    const leaving = await createUser();
    const things: Thing[] = [];
    for (let i = 0; i < 9; i++) {
      const post = await createPost();
      things.push(post, await createComment(post));
    }
    await Promise.all(things.map((thing, index) => vote(thing, leaving, index % 2 ? 1 : -1)));
    await domain.dataSource.query('truncate outbox');
    await domain.dataSource.query('update users set deleted_at = now() where id = $1', [leaving.userId]);
    const erase = async (eraseBatch: () => Promise<number>): Promise<void> => {
      while ((await eraseBatch()) > 0);
    };
    await Promise.all([
      erase(() => posts.withdrawVotes(leaving.userId, 4)),
      erase(() => comments.eraseVotesOf(leaving.userId, 4)),
      ...things.flatMap((thing) => people.slice(0, 5).map((person) => vote(thing, person, 1))),
    ]);
    for (const thing of things) {
      expect(await stored(thing)).toEqual({
        score: 5,
        votes: people.slice(0, 5).map(({ userId }) => [userId, 1]),
      });
    }
    const told: { envelope: { data: { target: VoteTarget; target_id: number; from: VoteState } } }[] =
      await domain.dataSource.query(
        `select envelope from outbox
         where (envelope -> 'data' ->> 'user_id')::bigint = $1 and envelope -> 'data' ->> 'to' = '0'`,
        [leaving.userId],
      );
    expect(
      new Set(told.map(({ envelope: { data } }) => `${data.target} ${data.target_id} ${data.from}`)),
    ).toEqual(new Set(things.map(({ target, id }, index) => `${target} ${id} ${index % 2 ? 1 : -1}`)));
    expect(told).toHaveLength(things.length);
  });
});
