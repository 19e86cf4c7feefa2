import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from './ledger';
import { Random } from '../../random/random';
import { describeRequestOutcome } from './upload-traffic';
import type { RequestOutcome, ChaosClient } from './chaos-client';

export interface ApiTrafficOptions {
  readonly seed: number;
  /** People who use the API at the same time. */
  readonly visitors: number;
  /** Longest pause of each visitor between two requests, in milliseconds. */
  readonly maxRestMs: number;
  /** Whether an answer other than success is acceptable at this moment. */
  readonly isExcused: (outcome: RequestOutcome<unknown>) => boolean;
}

/** A post whose creation was confirmed, with the number of confirmed comments. */
interface KnownPost {
  readonly slug: string;
  comments: number;
}

const READS = [
  '/posts',
  '/posts?sort=random',
  '/media?limit=50',
  '/tags',
  '/me',
  '/users/chaos',
  '/users/chaos/posts',
] as const;

/** Visitors that read, post, comment and vote until they are stopped. */
export class ApiTraffic {
  private readonly posts: KnownPost[] = [];
  private readonly random: Random;
  private stopped = false;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: ChaosClient,
    private readonly ledger: Ledger,
    private readonly options: ApiTrafficOptions,
  ) {
    this.random = new Random(options.seed + 3);
  }

  /** Starts the visitors, for the first time or again after `stop`. */
  start(): void {
    this.stopped = false;
    this.running = Promise.all(
      Array.from({ length: this.options.visitors }, () =>
        this.visit(new Random(this.random.integer(0, 2 ** 31))),
      ),
    );
    // `stop` reports a failure.
    this.running.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /** Reads every post again. Returns how many there are, and a sentence for each that is missing or incomplete. */
  async inspect(): Promise<{ readonly posts: number; readonly breaches: readonly string[] }> {
    const breaches: string[] = [];
    for (const { slug, comments } of this.posts) {
      const { status, body } = await this.client.json<{ data: { comment_count: number } }>(
        'GET',
        `/posts/${slug}`,
      );
      if (status !== 200) breaches.push(`Post ${slug} is lost: the API answers ${status}`);
      // A comment without an answer may have been written, so there may be more.
      else if ((body?.data.comment_count ?? 0) < comments) {
        breaches.push(
          `Post ${slug} has ${body?.data.comment_count} comments, and ${comments} were confirmed`,
        );
      }
    }
    return { posts: this.posts.length, breaches };
  }

  private async visit(random: Random): Promise<void> {
    while (!this.stopped) {
      await this.act(random);
      await pause(random.integer(0, this.options.maxRestMs));
    }
  }

  private async act(random: Random): Promise<void> {
    const post = this.posts.length > 0 ? random.pick(this.posts) : undefined;
    const choice = random.integer(1, 10);
    if (choice <= 2) await this.makePost(random);
    else if (choice <= 4 && post) await this.comment(post);
    else if (choice === 5 && post) await this.ask('vote', 'POST', `/posts/${post.slug}/upvote`);
    else if (choice === 6 && post) await this.ask('post', 'GET', `/posts/${post.slug}`);
    else await this.ask('list', 'GET', random.pick(READS));
  }

  private async makePost(random: Random): Promise<void> {
    const kept = this.ledger.entries.filter(({ deletion, decodable }) => deletion === 'none' && decodable);
    if (kept.length === 0) return;
    const { id } = random.pick(kept);
    const body = { media_ids: [id], title: `Post of ${id}`, tags: ['chaos'] };
    const outcome = await this.ask<{ post: { slug: string } }>('make post', 'POST', '/posts', body);
    if (outcome.status === 201 && outcome.body) {
      this.posts.push({ slug: outcome.body.post.slug, comments: 0 });
    }
  }

  private async comment(post: KnownPost): Promise<void> {
    const outcome = await this.ask('comment', 'POST', `/posts/${post.slug}/comments`, { content: 'Well.' });
    if (outcome.status === 201) post.comments++;
  }

  private async ask<Body = unknown>(
    request: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<RequestOutcome<Body>> {
    const outcome = await this.client.json<Body>(method, path, body);
    this.ledger.enter(request, outcome);
    const fine = outcome.status === 200 || outcome.status === 201;
    if (!fine && !this.options.isExcused(outcome)) {
      this.ledger.violations.push(`${method} ${path} was answered ${describeRequestOutcome(outcome)}`);
    }
    return outcome;
  }
}
