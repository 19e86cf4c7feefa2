import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from './ledger';
import { Random } from '../../random/random';
import type { SampleFiles } from './sample-files';
import type { Addresses, RequestOutcome, UploadedMedia, ChaosClient } from './chaos-client';

export interface SoakTrafficOptions {
  readonly seed: number;
  /** Requests begun a second, whether or not earlier ones were answered. */
  readonly requestsPerSecond: number;
  /** The account that logs in. */
  readonly login: { readonly username: string; readonly password: string };
}

/** Numbers of media and posts that exist at a time; older ones are deleted, so that the amount of data stays constant. */
const KEPT_MEDIA = 150;
const KEPT_POSTS = 100;
/** Most requests at a time. Further ones are skipped and counted: the machine can't keep the pace. */
const MAX_IN_FLIGHT = 64;

const FEEDS = [
  '/posts',
  '/posts?sort=random',
  '/posts?period=week',
  '/media?limit=50',
  '/media?sort=random&page=2',
  '/tags',
  '/me',
  '/users/chaos',
  '/users/chaos/media',
] as const;

interface KeptMedia {
  readonly id: number;
  readonly slug: string;
  readonly urls: UploadedMedia['urls'];
}

/** All kinds of requests at a steady pace: the same seed gives the same requests in the same order. */
export class SoakTraffic {
  private readonly random: Random;
  private readonly media: KeptMedia[] = [];
  private readonly posts: string[] = [];
  private readonly inFlight = new Set<Promise<void>>();
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  /** Requests that were skipped because too many were in flight. */
  skipped = 0;

  constructor(
    private readonly client: ChaosClient,
    private readonly addresses: Addresses,
    private readonly files: SampleFiles,
    private readonly ledger: Ledger,
    private readonly options: SoakTrafficOptions,
  ) {
    this.random = new Random(options.seed);
  }

  start(): void {
    this.running = this.keepPace();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
    await Promise.all(this.inFlight);
  }

  private async keepPace(): Promise<void> {
    const interval = 1000 / this.options.requestsPerSecond;
    for (let next = Date.now(); !this.stopped; next += interval) {
      await pause(Math.max(0, next - Date.now()));
      if (this.inFlight.size >= MAX_IN_FLIGHT) {
        this.skipped++;
        continue;
      }
      const request: Promise<void> = this.act().finally(() => this.inFlight.delete(request));
      this.inFlight.add(request);
    }
  }

  /** Sends one random request; nine in ten are reads. */
  private async act(): Promise<void> {
    const { random } = this;
    const choice = random.integer(1, 100);
    if (this.media.length > KEPT_MEDIA) return this.deleteMedia();
    if (this.posts.length > KEPT_POSTS) return this.deletePost();
    const media = this.media.length > 0 ? random.pick(this.media) : undefined;
    const post = this.posts.length > 0 ? random.pick(this.posts) : undefined;
    if (choice <= 5 || !media) return this.upload();
    if (choice <= 8 || !post) return this.makePost(media);
    if (choice <= 12) return this.ask('comment', 'POST', `/posts/${post}/comments`, { content: 'Well.' });
    if (choice <= 18) return this.ask('vote', 'POST', `/posts/${post}/upvote`);
    if (choice === 19) return this.logIn();
    if (choice <= 40) return this.ask('post', 'GET', `/posts/${post}`);
    if (choice <= 65) return this.ask('feed', 'GET', random.pick(FEEDS));
    if (choice <= 80) return this.open('page', this.addresses.site + random.pick(this.pages(media, post)));
    return this.open('file', random.pick(Object.values(media.urls)));
  }

  private pages(media: KeptMedia, post: string): readonly string[] {
    return ['/', '/tags', '/search?q=well', '/u/chaos', `/m/${media.slug}`, `/p/${post}`, '/login'];
  }

  private async upload(): Promise<void> {
    const file = await this.files.next(this.random);
    const outcome = await this.client.upload(file);
    this.enter('upload', outcome, !file.decodable && outcome.status === 422);
    const media = outcome.body?.media;
    if (outcome.status === 201 && media && file.decodable) this.media.push(media);
  }

  private async makePost({ id }: KeptMedia): Promise<void> {
    const outcome = await this.client.json<{ post: { slug: string } }>('POST', '/posts', {
      media_ids: [id],
      title: 'Soaked',
      tags: ['soak'],
    });
    // The media item may have been deleted since it was chosen.
    this.enter('make post', outcome, outcome.status === 422);
    if (outcome.status === 201 && outcome.body) this.posts.push(outcome.body.post.slug);
  }

  private async deleteMedia(): Promise<void> {
    const oldest = this.media.shift();
    if (oldest) await this.ask('delete media', 'DELETE', `/media/${oldest.slug}`);
  }

  private async deletePost(): Promise<void> {
    const oldest = this.posts.shift();
    if (oldest) await this.ask('delete post', 'DELETE', `/posts/${oldest}`);
  }

  private logIn(): Promise<void> {
    const { username, password } = this.options.login;
    return this.ask('log in', 'POST', '/auth/login', { login: username, password });
  }

  private async ask(request: string, method: string, path: string, body?: object): Promise<void> {
    this.enter(request, await this.client.json(method, path, body));
  }

  private async open(request: string, url: string): Promise<void> {
    const began = Date.now();
    let status: RequestOutcome<unknown>['status'] = 'no answer';
    let retryAfter: number | undefined;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
      await response.arrayBuffer();
      ({ status } = response);
      retryAfter = Number(response.headers.get('retry-after')) || undefined;
    } catch {
      // The ledger records that there was no answer.
    }
    // One size of a video may not exist yet.
    const isNotYet = request === 'file' && status === 503;
    this.enter(request, { status, body: undefined, retryAfter, took: Date.now() - began }, isNotYet);
  }

  /** Records an outcome. 404 is no violation: the item may have been deleted since it was chosen. */
  private enter(request: string, outcome: RequestOutcome<unknown>, isExcused = false): void {
    this.ledger.enter(request, outcome);
    const { status } = outcome;
    const fine = typeof status === 'number' && (status < 300 || status === 404);
    if (!fine && !isExcused) {
      this.ledger.violations.push(
        `${request} was answered ${status} ${outcome.reason ?? JSON.stringify(outcome.body)}`,
      );
    }
  }
}
