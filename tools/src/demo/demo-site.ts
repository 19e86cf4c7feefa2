import { Injectable } from '@nestjs/common';
import { SCOPES } from '@vitrine/contracts';
import {
  AccountCreation,
  type Caller,
  CommentsService,
  FollowsService,
  MediaEditing,
  NotFoundError,
  PostEditingService,
  PostsService,
  UsersService,
  ViewCounter,
} from '@vitrine/domain';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { type Backdated, DemoDatesRepository } from './demo-dates.repository';
import { ACCOUNT_HOURS, type DemoPlan, planDemo, type PlannedPost } from './demo-plan';
import { DemoUploads, type UploadedPicture } from './demo-uploads';
import { DemoConfig } from './demo.config';
import { PEOPLE } from './people';
import { canMakeClips, render, type RenderedFile, type Sketch } from './pictures/render';
import { emblem } from './pictures/patterns';

/** Pictures painted at a time: the number of processors of a small machine. */
const PAINTERS = 2;
const EMBLEM_PIXELS = 420;
/** How long before its post a file is uploaded. */
const UPLOAD_LEAD_HOURS = 0.05;
const FIRST_PAGE = { mediaPage: 1, perPage: 1 };

export interface DemoOptions {
  readonly seed: number;
  readonly password: string;
  /** Called at each step. */
  progress(line: string): void;
}

/** Some of the demo's usernames are taken, but not all. */
export class NamesTakenError extends Error {
  override readonly name = 'NamesTakenError';
  constructor(names: readonly string[]) {
    super(
      `The demo can't be made: ${names.join(', ')} ${names.length === 1 ? 'is an account' : 'are accounts'} here already.`,
    );
  }
}

interface Made {
  readonly id: number;
  readonly slug: string;
  readonly media: readonly UploadedPicture[];
}

/** Makes the demo site. */
@Injectable()
export class DemoSite {
  constructor(
    private readonly creation: AccountCreation,
    private readonly users: UsersService,
    private readonly uploads: DemoUploads,
    private readonly media: MediaEditing,
    private readonly editing: PostEditingService,
    private readonly posts: PostsService,
    private readonly views: ViewCounter,
    private readonly comments: CommentsService,
    private readonly follows: FollowsService,
    private readonly dates: DemoDatesRepository,
    private readonly config: DemoConfig,
    readonly urls: PublicUrlsConfig,
  ) {}

  /** Whether the demo exists already. Throws `NamesTakenError` when other people have some of its usernames. */
  async isThere(): Promise<boolean> {
    const found = await Promise.all(PEOPLE.map(({ username }) => this.exists(username)));
    if (found.every(Boolean)) return true;
    const taken = PEOPLE.filter((_, i) => found[i]).map(({ username }) => username);
    if (taken.length > 0) throw new NamesTakenError(taken);
    return false;
  }

  /** Creates everything. The services process and moderate the media, now or when they run next. */
  async make({ seed, password, progress }: DemoOptions): Promise<void> {
    const plan = planDemo(seed);
    const alone = await this.dates.isEmpty();
    const people = await this.makePeople(password);
    progress(`${people.size} accounts.`);
    const emblems = await this.makeEmblems(plan, people);
    const posts = await this.makePosts(plan, people, progress);
    const comments = await this.makeComments(plan, people, posts);
    progress(`${comments.length} comments.`);
    await this.makeVotes(plan, people, posts, comments);
    for (const { follower, followee } of plan.follows)
      await this.follows.follow(followee, callerOf(people, follower));
    progress(
      `${plan.postVotes.length + plan.commentVotes.length} votes, ${plan.follows.length} people followed.`,
    );
    await this.lookAround(plan, posts);
    if (!alone) return progress('The site has other content, so everything in the demo is dated today.');
    await this.dates.backdate({
      users: [...people.values()].map(({ userId }) => ({ id: userId, hoursAgo: ACCOUNT_HOURS })),
      media: [
        ...emblems.map(({ id }) => ({ id, hoursAgo: ACCOUNT_HOURS })),
        ...posts.flatMap(({ media }, i) =>
          media.map(({ id }) => dated(id, plan.posts[i], UPLOAD_LEAD_HOURS)),
        ),
      ],
      posts: posts.map(({ id }, i) => dated(id, plan.posts[i])),
      comments: comments.map((id, i) => dated(id, plan.comments[i])),
    });
    progress('Spread over the last four weeks.');
  }

  private async exists(username: string): Promise<boolean> {
    try {
      await this.users.findByUsername(username);
      return true;
    } catch (error) {
      if (error instanceof NotFoundError) return false;
      throw error;
    }
  }

  private async makePeople(password: string): Promise<ReadonlyMap<string, Caller>> {
    const people = new Map<string, Caller>();
    for (const { username, bio, role = 'user' } of PEOPLE) {
      await this.creation.create({ username, password }, role);
      const { id } = await this.users.findByUsername(username);
      const caller: Caller = {
        userId: id,
        username,
        role,
        isGuest: false,
        tokenId: 0,
        kind: 'session',
        scopes: [...SCOPES],
      };
      if (bio !== null) await this.users.updateProfile(caller, { bio });
      people.set(username, caller);
    }
    return people;
  }

  private async makeEmblems(plan: DemoPlan, people: ReadonlyMap<string, Caller>): Promise<UploadedPicture[]> {
    const look = { paint: emblem, format: 'png', width: EMBLEM_PIXELS, height: EMBLEM_PIXELS } as const;
    const sketches = PEOPLE.map(({ palette }, i): Sketch => ({
      ...look,
      palette,
      seed: plan.emblems[i] ?? i,
    }));
    const made: UploadedPicture[] = [];
    for await (const [i, file] of this.paint(sketches)) {
      const caller = callerOf(people, PEOPLE[i]?.username ?? '');
      const picture = await this.uploads.take(file, caller.userId);
      await this.users.updateProfile(caller, { avatar: picture.slug });
      made.push(picture);
    }
    return made;
  }

  private async makePosts(
    { posts }: DemoPlan,
    people: ReadonlyMap<string, Caller>,
    progress: (line: string) => void,
  ): Promise<Made[]> {
    const clips = await canMakeClips(this.ffmpeg);
    if (!clips) progress('There is no ffmpeg: clips become animations.');
    const sketches = posts
      .flatMap((planned) => planned.sketches)
      .map((sketch) => (clips ? sketch : asAnimation(sketch)));
    const files = this.paint(sketches);
    const made: Made[] = [];
    let pictures = 0;
    for (const { post, sketches } of posts) {
      const caller = callerOf(people, post.by);
      const media: UploadedPicture[] = [];
      while (media.length < sketches.length) {
        const next = await files.next();
        if (next.done) break;
        const picture = await this.uploads.take(next.value[1], caller.userId);
        await this.media.update(picture.slug, caller, { title: post.title, tags: post.tags });
        media.push(picture);
        if (++pictures % 20 === 0)
          progress(`${pictures} of ${posts.flatMap((p) => p.sketches).length} pictures …`);
      }
      const { id, slug } = await this.editing.create(caller, {
        mediaIds: media.map(({ id }) => id),
        title: post.title,
        description: post.description,
        tags: post.tags,
        visibility: post.visibility,
      });
      made.push({ id, slug, media });
    }
    progress(`${made.length} posts with ${pictures} pictures.`);
    return made;
  }

  private async makeComments(
    plan: DemoPlan,
    people: ReadonlyMap<string, Caller>,
    posts: readonly Made[],
  ): Promise<number[]> {
    const ids: number[] = [];
    for (const { post, by, content, parent } of plan.comments) {
      const parentId = parent === null ? null : (ids[parent] ?? null);
      const draft = { content, parentId };
      const { comment } = await this.comments.create(slugOf(posts, post), callerOf(people, by), null, draft);
      ids.push(comment.id);
    }
    return ids;
  }

  private async makeVotes(
    { postVotes, commentVotes }: DemoPlan,
    people: ReadonlyMap<string, Caller>,
    posts: readonly Made[],
    comments: readonly number[],
  ): Promise<void> {
    for (const { by, target, value } of postVotes) {
      await this.posts.vote(slugOf(posts, target), callerOf(people, by), { accessKey: null, value });
    }
    for (const { by, target, value } of commentVotes) {
      await this.comments.vote({ id: comments[target] ?? 0 }, callerOf(people, by), {
        accessKey: null,
        value,
      });
    }
  }

  private async lookAround({ views }: DemoPlan, posts: readonly Made[]): Promise<void> {
    for (const [index, count] of views.entries()) {
      for (let view = 0; view < count; view++) {
        await this.posts.findForViewer(slugOf(posts, index), { viewer: null }, FIRST_PAGE);
      }
    }
    await this.views.flush();
  }

  private get ffmpeg(): string {
    return this.config.ffmpegPath || 'ffmpeg';
  }

  /** Paints some pictures ahead, and yields them in order. */
  private async *paint(
    sketches: readonly Sketch[],
  ): AsyncGenerator<[index: number, file: RenderedFile], void, undefined> {
    const begun: Promise<RenderedFile>[] = [];
    for (let i = 0; i < sketches.length; i++) {
      for (const sketch of sketches.slice(begun.length, i + PAINTERS)) {
        const file = render(sketch, this.ffmpeg);
        // It is awaited later, so an early failure must not count as unhandled.
        file.catch(() => undefined);
        begun.push(file);
      }
      const file = await begun[i];
      if (file) yield [i, file];
    }
  }
}

const asAnimation = (sketch: Sketch): Sketch =>
  sketch.format === 'mp4' ? { ...sketch, format: 'webp', width: 640, height: 360 } : sketch;

function callerOf(people: ReadonlyMap<string, Caller>, username: string): Caller {
  const caller = people.get(username);
  if (!caller) throw new RangeError(`There is no person ${username}`);
  return caller;
}

function slugOf(posts: readonly Made[], index: number): string {
  const post = posts[index];
  if (!post) throw new RangeError(`There is no post ${index}`);
  return post.slug;
}

const dated = (id: number, planned: Pick<PlannedPost, 'hoursAgo'> | undefined, lead = 0): Backdated => ({
  id,
  hoursAgo: (planned?.hoursAgo ?? 0) + lead,
});
