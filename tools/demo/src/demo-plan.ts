import { Random } from './random';
import type { DemoContent, DemoPost } from './demo-content';

/** The time of an action, in hours before the end. */
interface Timed {
  readonly hoursAgo: number;
}
export interface PlannedPost extends Timed {
  readonly post: DemoPost;
}
export interface PlannedComment extends Timed {
  /** The post, by its index in the plan. */
  readonly post: number;
  readonly by: string;
  readonly content: string;
  /** The comment that it replies to, by its index in the plan. */
  readonly parent: number | null;
}
export interface PlannedVote {
  readonly by: string;
  /** The post or comment, by its index in the plan. */
  readonly target: number;
  readonly value: 1 | -1;
}

/** All actions on the demo site, in order. */
export interface DemoPlan {
  readonly posts: readonly PlannedPost[];
  readonly comments: readonly PlannedComment[];
  readonly postVotes: readonly PlannedVote[];
  readonly commentVotes: readonly PlannedVote[];
  readonly follows: ReadonlyArray<{ readonly follower: string; readonly followee: string }>;
  /** Views of each post by people without an account. */
  readonly views: readonly number[];
}

/** The age of the site. */
const SITE_HOURS = 26 * 24;
/** The accounts are older than the first post. */
export const ACCOUNT_HOURS = SITE_HOURS + 24;

/** The same content and seed make the same site. */
export function planDemo(content: DemoContent, seed: number): DemoPlan {
  const random = new Random(seed);
  const names = content.people.map(({ username }) => username);
  const slot = SITE_HOURS / content.posts.length;
  const posts = content.posts.map((post, i): PlannedPost => ({
    post,
    hoursAgo: SITE_HOURS - (i + 0.8 * random.next()) * slot,
  }));
  // How popular each post is, which affects everything else.
  const charms = posts.map(() => 0.15 + 0.85 * random.next());
  const comments = planComments(content, names, posts, charms, random);
  return {
    posts,
    comments,
    postVotes: votesOn(
      names,
      posts.map(({ post }) => post.by),
      (i) => (isOpen(posts[i]) ? (charms[i] ?? 0) : 0),
      random,
    ),
    commentVotes: votesOn(
      names,
      comments.map(({ by }) => by),
      () => 0.25,
      random,
    ),
    follows: names.flatMap((follower) =>
      names
        .filter((followee) => followee !== follower && random.next() < 0.38)
        .map((followee) => ({ follower, followee })),
    ),
    views: posts.map((planned, i) =>
      isOpen(planned) ? Math.round((charms[i] ?? 0) * random.integer(8, 40)) : 0,
    ),
  };
}

/** Whether people other than the author find it. */
const isOpen = (planned: PlannedPost | undefined): boolean =>
  planned !== undefined && planned.post.visibility === undefined;

function planComments(
  { remarks, replies }: DemoContent,
  names: readonly string[],
  posts: readonly PlannedPost[],
  charms: readonly number[],
  random: Random,
): PlannedComment[] {
  interface Draft extends Omit<PlannedComment, 'parent'> {
    readonly parent: Draft | null;
  }
  const drafts: Draft[] = [];
  posts.forEach((planned, index) => {
    if (!isOpen(planned)) return;
    const said = shuffled(remarks[planned.post.mood], random);
    const count = Math.min(said.length, Math.round((charms[index] ?? 0) * 5));
    for (const content of said.slice(0, count)) {
      const by = random.pick(names.filter((name) => name !== planned.post.by));
      let last: Draft = {
        post: index,
        by,
        content,
        parent: null,
        hoursAgo: planned.hoursAgo * between(random, 0.3, 0.97),
      };
      drafts.push(last);
      const answers = shuffled(replies, random);
      // Usually the author answers, and sometimes the thread continues.
      for (let depth = 0; depth < 3 && random.next() < 0.5 - depth * 0.1; depth++) {
        const speaker: string = depth % 2 === 0 ? planned.post.by : by;
        last = {
          post: index,
          by: speaker,
          content: answers[depth] ?? '',
          parent: last,
          hoursAgo: last.hoursAgo * between(random, 0.5, 0.95),
        };
        drafts.push(last);
      }
    }
  });
  drafts.sort((a, b) => b.hoursAgo - a.hoursAgo);
  return drafts.map(({ parent, ...draft }) => ({ ...draft, parent: parent && drafts.indexOf(parent) }));
}

function votesOn(
  names: readonly string[],
  authors: readonly string[],
  charm: (target: number) => number,
  random: Random,
): PlannedVote[] {
  return authors.flatMap((author, target) =>
    names
      .filter((name) => name !== author && random.next() < charm(target))
      .map((by): PlannedVote => ({ by, target, value: random.next() < 0.9 ? 1 : -1 })),
  );
}

const between = (random: Random, from: number, to: number): number => from + random.next() * (to - from);

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random.integer(0, left.length - 1), 1));
}
