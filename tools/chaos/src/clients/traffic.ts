import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { VitrineClient } from '@vitrine/client';
import { Random } from '@vitrine/demo/random';
import {
  type Addresses,
  describeOutcome,
  open,
  outcomeOf,
  PASSWORD,
  type RequestOutcome,
  signUp,
} from './client';
import { type Deletable, Ledger, type LedgerEntry } from './ledger';
import { repeat } from './repeat';
import { type SampleFile, SampleFiles } from './sample-files';

/** What clients do. */
type Act =
  'upload' | 'read' | 'make post' | 'comment' | 'vote' | 'log in' | 'post' | 'list' | 'page' | 'file';

/** Clients that choose among acts; the numbers say how often. */
interface Group {
  readonly mix: Readonly<Partial<Record<Act, number>>>;
  /**
   * A number of clients, each of which rests after each request, or a number of requests a second that doesn't depend on the
   * answers. With rests, work of all stages is in progress at any time, not only the first one.
   */
  readonly pace: { readonly clients: number; readonly maxRestMs: number } | { readonly perSecond: number };
}

export interface TrafficOptions {
  readonly seed: number;
  readonly groups: readonly Group[];
  /** One in this many uploads is deleted again; none if absent. */
  readonly deletedOneIn?: number;
  /** The numbers of media and posts that exist at a time; the oldest ones are deleted. */
  readonly keep?: { readonly media: number; readonly posts: number };
  /** Whether an answer other than success is acceptable; none is if absent. */
  readonly isExcused?: (outcome: RequestOutcome) => boolean;
  /**
   * Most uploads that wait to be processed before the clients pause; no limit if absent. Without one, the work that is left at
   * the end grows with the time that a slow machine takes, during which the clients go on.
   */
  readonly maxUnprocessed?: number;
  /** Longest wait of the clients for an answer, in milliseconds. */
  readonly patienceMs?: number;
}

/** Clients that upload, read, post, comment, vote and delete, about fifteen requests a second. */
export const EVERYTHING: readonly Group[] = [
  { mix: { upload: 1 }, pace: { clients: 3, maxRestMs: 3_000 } },
  { mix: { read: 1 }, pace: { clients: 1, maxRestMs: 500 } },
  { mix: { 'make post': 2, comment: 2, vote: 1, post: 1, list: 4 }, pace: { clients: 4, maxRestMs: 800 } },
];

/** A post whose creation was confirmed, with the number of confirmed comments. */
interface KnownPost extends Deletable {
  readonly slug: string;
  /** Its only media item. */
  readonly item: Deletable;
  comments: number;
}

const LISTS: readonly ((client: VitrineClient) => Promise<unknown>)[] = [
  ({ posts }) => posts.list(),
  ({ posts }) => posts.list({ sort: 'random' }),
  ({ posts }) => posts.list({ period: 'week' }),
  ({ media }) => media.list({ limit: 50 }),
  ({ media }) => media.list({ sort: 'random', page: 2 }),
  ({ tags }) => tags.list(),
  ({ me }) => me.get(),
  ({ users }) => users.get('chaos'),
  ({ users }) => users.posts('chaos').list(),
  ({ users }) => users.media('chaos').list(),
];

const DELETION_ATTEMPTS = 40;
const DELETION_PAUSE_MS = 500;
/** A run fails when no upload was accepted for this long. */
const STALL_MS = 180_000;
/** Most requests of a steady pace at a time. Further ones are skipped and counted: the machine can't keep the pace. */
const MAX_IN_FLIGHT = 64;

const UNTOUCHED: Deletable = { deletion: 'none' };

/** The clients of a scenario, who share one account. Their ledger records every answer. The same seed makes the same choices. */
export class Traffic {
  readonly ledger = new Ledger();
  /** Requests that were skipped because too many were in flight. */
  skipped = 0;
  private readonly posts: KnownPost[] = [];
  /** The slugs of uploads that were not processed when last seen, oldest first. */
  private readonly unprocessed: string[] = [];
  private readonly random: Random;
  private lastAcceptedAt = Date.now();
  private end: (() => Promise<void>) | undefined;
  /** The first error of the harness itself in one of the clients. */
  private failure: Error | undefined;

  private constructor(
    readonly client: VitrineClient,
    readonly files: SampleFiles,
    private readonly site: string,
    private readonly options: TrafficOptions,
  ) {
    this.random = new Random(options.seed);
  }

  /** Creates the account. No request is sent before `start`. */
  static async create(addresses: Addresses, options: TrafficOptions): Promise<Traffic> {
    const client = await signUp(addresses, 'chaos', options.patienceMs);
    return new Traffic(client, await SampleFiles.create(), addresses.site, options);
  }

  /** Starts all clients that don't run, for the first time or again after `stop`. */
  start(): void {
    this.lastAcceptedAt = Date.now();
    this.end ??= repeat(
      ...this.options.groups
        .flatMap((group) => this.worksOf(group))
        .map((work) => async () => {
          try {
            await work();
          } catch (error) {
            this.failure ??= error as Error;
            throw error;
          }
        }),
    );
  }

  /** Stops all clients after their current requests. */
  async stop(): Promise<void> {
    const { end } = this;
    this.end = undefined;
    await end?.();
  }

  /** Resolves when this many uploads were accepted. Throws when a client failed, or none was accepted for three minutes. */
  async untilAccepted(count: number): Promise<void> {
    while (this.ledger.entries.length < count) {
      if (this.failure) throw this.failure;
      if (Date.now() - this.lastAcceptedAt > STALL_MS) {
        throw new Error('No upload has been accepted for three minutes');
      }
      await pause(20);
    }
  }

  /**
   * Uploads one file and deletes it again if `isDeleted`. Returns its entry if it was accepted. A request without an answer
   * may have been accepted; the client doesn't repeat it.
   */
  async upload(file: SampleFile, isDeleted = false): Promise<LedgerEntry | undefined> {
    const { body } = await this.ask('upload', this.client.media.upload(file.bytes, { name: file.name }), {
      isExcused: ({ status }) => status === 422 && !file.decodable,
    });
    if (!body) return undefined;
    const entry: LedgerEntry = {
      ...{ id: body.id, slug: body.slug, urls: body.urls },
      sentSha256: createHash('sha256').update(file.bytes).digest('hex'),
      decodable: file.decodable,
      deletion: 'none',
    };
    this.ledger.entries.push(entry);
    this.unprocessed.push(entry.slug);
    this.lastAcceptedAt = Date.now();
    if (isDeleted) await this.delete(entry, () => this.client.media.delete(entry.slug));
    return entry;
  }

  /** Looks at the oldest upload that waited, and returns whether so many wait that the caller should pause. */
  async isBehind(): Promise<boolean> {
    if (this.unprocessed.length < (this.options.maxUnprocessed ?? Infinity)) return false;
    const [oldest = ''] = this.unprocessed;
    const { status, body } = await outcomeOf(this.client.media.get(oldest));
    const hasEnded = status === 404 || body?.processed === true || typeof body?.processing_error === 'string';
    // Only one of several clients takes its place.
    if (!hasEnded || this.unprocessed[0] !== oldest) return true;
    this.unprocessed.shift();
    return false;
  }

  /** Reads every post again. Returns how many there are, and a sentence for each that is missing or incomplete. */
  async inspectPosts(): Promise<{ readonly posts: number; readonly breaches: readonly string[] }> {
    const breaches: string[] = [];
    const kept = this.posts.filter(({ deletion }) => deletion === 'none');
    for (const { slug, comments } of kept) {
      const { status, body } = await outcomeOf(this.client.posts.get(slug));
      if (!body) breaches.push(`Post ${slug} is lost: the API answers ${status}`);
      // A comment without an answer may have been written, so there may be more.
      else if (body.comment_count < comments) {
        breaches.push(`Post ${slug} has ${body.comment_count} comments, and ${comments} were confirmed`);
      }
    }
    return { posts: kept.length, breaches };
  }

  private worksOf({ mix, pace }: Group): readonly (() => Promise<void>)[] {
    const acts = Object.entries(mix).flatMap(([act, weight]) => Array<Act>(weight).fill(act as Act));
    if ('perSecond' in pace) return [this.steadily(pace.perSecond, acts)];
    return Array.from({ length: pace.clients }, () => {
      const random = new Random(this.random.integer(0, 2 ** 31));
      return async () => {
        await this.act(random.pick(acts), random);
        await pause(random.integer(0, pace.maxRestMs));
      };
    });
  }

  /** One second of a steady pace. */
  private steadily(perSecond: number, acts: readonly Act[]): () => Promise<void> {
    const inFlight = new Set<Promise<unknown>>();
    let next = Date.now();
    return async () => {
      for (let count = 0; count < perSecond; count++, next += 1000 / perSecond) {
        await pause(Math.max(0, next - Date.now()));
        if (inFlight.size >= MAX_IN_FLIGHT) {
          this.skipped++;
          continue;
        }
        const request = this.act(this.random.pick(acts), this.random).finally(() => inFlight.delete(request));
        inFlight.add(request);
      }
      if (!this.end) await Promise.all(inFlight);
    };
  }

  private async act(act: Act, random: Random): Promise<unknown> {
    const { client, ledger, options } = this;
    const media = ledger.entries.filter(({ deletion, decodable }) => deletion === 'none' && decodable);
    const posts = this.posts.filter(({ deletion }) => deletion === 'none');
    const [oldest, oldestPost] = [media[0], posts[0]];
    if (options.keep && oldest && media.length > options.keep.media)
      return this.delete(oldest, () => client.media.delete(oldest.slug));
    if (options.keep && oldestPost && posts.length > options.keep.posts)
      return this.delete(oldestPost, () => client.posts.delete(oldestPost.slug));
    if (act === 'upload') {
      if (await this.isBehind()) return undefined;
      const isDeleted = options.deletedOneIn !== undefined && random.integer(1, options.deletedOneIn) === 1;
      return this.upload(await this.files.next(random), isDeleted);
    }
    if (act === 'list') return this.ask(act, random.pick(LISTS)(client));
    if (act === 'log in') return this.ask(act, client.auth.login({ login: 'chaos', password: PASSWORD }));
    if (media.length === 0) return undefined;
    const item = random.pick(media);
    if (act === 'read') return this.ask(act, client.media.get(item.slug), { of: item });
    if (act === 'make post') return this.makePost(item);
    if (act === 'file') {
      // One size of a video may not exist yet.
      const isExcused = ({ status }: RequestOutcome): boolean => status === 503;
      return this.enter(act, await open(random.pick(Object.values(item.urls))), { of: item, isExcused });
    }
    if (posts.length === 0) return undefined;
    const post = random.pick(posts);
    if (act === 'page') {
      const pages = ['', 'tags', 'search?q=well', 'u/chaos', `m/${item.slug}`, `p/${post.slug}`, 'login'];
      const page = random.pick(pages);
      const of = page.startsWith('m/') ? item : page.startsWith('p/') ? post : UNTOUCHED;
      // Visitors get 404 for a post without media.
      const isExcused = ({ status }: RequestOutcome): boolean =>
        of === post && post.item.deletion !== 'none' && status === 404;
      return this.enter(act, await open(`${this.site}/${page}`), { of, isExcused });
    }
    if (act === 'post') return this.ask(act, client.posts.get(post.slug), { of: post });
    if (act === 'vote') return this.ask(act, client.posts.upvote(post.slug), { of: post });
    const { status } = await this.ask(act, client.comments.create(post.slug, { content: 'Well.' }), {
      of: post,
    });
    if (status === 'done') post.comments++;
    return undefined;
  }

  private async makePost(item: LedgerEntry): Promise<void> {
    const post = { media_ids: [item.id], title: `Post of ${item.id}`, tags: ['chaos'] };
    const { body } = await this.ask('make post', this.client.posts.create(post), { of: item });
    if (body) this.posts.push({ slug: body.slug, item, comments: 0, deletion: 'none' });
  }

  private async delete(item: Deletable, send: () => Promise<void>): Promise<void> {
    item.deletion = 'asked';
    for (let attempt = 0; attempt < DELETION_ATTEMPTS; attempt++) {
      // 404: an earlier request, which got no answer, deleted it.
      const isDone = ({ status }: RequestOutcome): boolean =>
        status === 'done' || (status === 404 && attempt > 0);
      const outcome = await this.ask('delete', send(), { isExcused: isDone });
      if (isDone(outcome)) {
        item.deletion = 'confirmed';
        return;
      }
      await pause(DELETION_PAUSE_MS);
    }
  }

  private async ask<Body>(
    what: Act | 'delete',
    request: Promise<Body>,
    judgement: Judgement = {},
  ): Promise<RequestOutcome<Body>> {
    return this.enter(what, await outcomeOf(request), judgement);
  }

  private enter<Body>(
    what: Act | 'delete',
    outcome: RequestOutcome<Body>,
    { of = UNTOUCHED, isExcused }: Judgement,
  ): RequestOutcome<Body> {
    this.ledger.enter(what, outcome);
    const { status } = outcome;
    const isGone = of.deletion !== 'none' && (status === 404 || status === 422);
    if (status !== 'done' && !isGone && !isExcused?.(outcome) && !this.options.isExcused?.(outcome)) {
      this.ledger.violations.push(`A request (${what}) was answered ${describeOutcome(outcome)}`);
    }
    return outcome;
  }
}

interface Judgement {
  /** What the request is about: if its deletion has begun by the time of the answer, the answer may say that it is gone. */
  readonly of?: Deletable;
  readonly isExcused?: (outcome: RequestOutcome) => boolean;
}
