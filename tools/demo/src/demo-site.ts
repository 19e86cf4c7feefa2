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
  ProfileEditing,
  UsersService,
  ViewCounter,
} from '@vitrine/domain';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { readDemoContent, withoutClips } from './demo-content';
import { type Backdated, DemoDatesRepository } from './demo-dates.repository';
import { ACCOUNT_HOURS, type DemoPlan, planDemo, type PlannedPost } from './demo-plan';
import { DemoUploads, type UploadedPicture } from './demo-uploads';

/** How long before its post a file is uploaded. */
const UPLOAD_LEAD_HOURS = 0.05;
const FIRST_PAGE = { mediaPage: 1, perPage: 1 };

export interface DemoOptions {
  /** The same seed makes the same comments, votes, follows, views and dates. */
  readonly seed: number;
  readonly password: string;
  /** Whether the site processes videos. If not, posts with clips are left out. */
  readonly withClips: boolean;
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
  private readonly content = readDemoContent();
  readonly people = this.content.people;

  constructor(
    private readonly creation: AccountCreation,
    private readonly users: UsersService,
    private readonly profiles: ProfileEditing,
    private readonly uploads: DemoUploads,
    private readonly media: MediaEditing,
    private readonly editing: PostEditingService,
    private readonly posts: PostsService,
    private readonly views: ViewCounter,
    private readonly comments: CommentsService,
    private readonly follows: FollowsService,
    private readonly dates: DemoDatesRepository,
    readonly urls: PublicUrlsConfig,
  ) {}

  /** Whether the demo exists already. Throws `NamesTakenError` when other people have some of its usernames. */
  async isThere(): Promise<boolean> {
    const found = await Promise.all(this.people.map(({ username }) => this.exists(username)));
    if (found.every(Boolean)) return true;
    const taken = this.people.filter((_, i) => found[i]).map(({ username }) => username);
    if (taken.length > 0) throw new NamesTakenError(taken);
    return false;
  }

  /** Creates everything. The services process and moderate the media, now or when they run next. */
  async make({ seed, password, withClips, progress }: DemoOptions): Promise<void> {
    const plan = planDemo(withClips ? this.content : withoutClips(this.content), seed);
    const alone = await this.dates.isEmpty();
    const people = await this.makePeople(password);
    progress(`${people.size} accounts.`);
    const avatars = await this.makeAvatars(people);
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
        ...avatars.map(({ id }) => ({ id, hoursAgo: ACCOUNT_HOURS })),
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
    for (const { username, bio, role = 'user' } of this.people) {
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
      if (bio !== null) await this.profiles.update(caller, { bio });
      people.set(username, caller);
    }
    return people;
  }

  private async makeAvatars(people: ReadonlyMap<string, Caller>): Promise<UploadedPicture[]> {
    const made: UploadedPicture[] = [];
    for (const [username, caller] of people) {
      const picture = await this.uploads.takeAvatar(username, caller.userId);
      await this.profiles.update(caller, { avatar: picture.slug });
      made.push(picture);
    }
    return made;
  }

  private async makePosts(
    { posts }: DemoPlan,
    people: ReadonlyMap<string, Caller>,
    progress: (line: string) => void,
  ): Promise<Made[]> {
    const made: Made[] = [];
    for (const { post } of posts) {
      const caller = callerOf(people, post.by);
      const media: UploadedPicture[] = [];
      for (const file of post.pictures) {
        const picture = await this.uploads.takePicture(file, caller.userId);
        await this.media.update(picture.slug, caller, { title: post.title, tags: post.tags });
        media.push(picture);
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
    progress(`${made.length} posts with ${made.flatMap(({ media }) => media).length} pictures.`);
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
}

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
