import { setTimeout as pause } from 'node:timers/promises';
import { photograph } from '@vitrine/bench';
import type { VitrineClient } from '@vitrine/client';
import { open, outcomeOf, signUp } from '../clients/client';
import { repeat, times } from '../clients/repeat';
import { countBy, describeCounts } from '../contract/results';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { queryWhenBack, untilQuiet } from '../inspection/quiet';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { inTurn } from '../stack/victims';
import { Random } from '@vitrine/demo/random';
import { killInTurn } from './load';

const VICTIMS = ['upload-service', 'postgres', 'api-gateway', 'media-processor'] as const;
const PICTURES = 5;
const READERS = 4;
const DELETERS = 3;
/** Media that are kept at a time: above this, clients delete more than they upload. */
const MAX_LIVING = 40;
const RECOVERY_MS = 150_000;
/** Duration of the traffic after the last kill. */
const LAST_MS = 3_000;
const ENVIRONMENT = {
  MERGE_EQUAL_FILES_AFTER_SECONDS: '1',
  CLEANUP_INTERVAL_SECONDS: '1',
  BUS_RETRY_DELAYS_MS: '500,1000,2000,4000,8000,8000,8000,8000',
} as const;

/** The same few pictures are uploaded, merged and deleted all the time while processes are killed. */
export const equalFilesScenario: Scenario = {
  name: 'equal-files',
  promise:
    'If processes are killed (kill -9) while equal originals are uploaded, merged and deleted, every media item that is ' +
    'not deleted is served with its bytes, and never 404. Afterwards each picture is stored once while a media item has ' +
    'it, and no longer.',
  settings: { kills: 20, quietSeconds: 60 },
  buses: ['postgres', 'rabbitmq'],
  run: (context) =>
    withStack({ bus: context.bus, env: ENVIRONMENT }, context.say, async (stack) =>
      new EqualFilesRun(stack, context, await signUp(stack.addresses)).run(),
    ),
};

class EqualFilesRun {
  private readonly random: Random;
  private readonly outcomes: string[] = [];
  private readonly violations: string[] = [];
  /** The media that no client has begun to delete, and their pictures. */
  private readonly living = new Map<string, Buffer>();
  private pictures: readonly Buffer[] = [];
  private deletions = 0;
  private mostSharing = 0;

  constructor(
    readonly stack: ChaosStack,
    readonly context: ScenarioContext,
    private readonly client: VitrineClient,
  ) {
    this.random = new Random(context.seed + 6);
  }

  async run(): Promise<Verdict> {
    const { say } = this.context;
    this.pictures = await Promise.all(Array.from({ length: PICTURES }, (_, index) => makePicture(index)));
    say('killing processes while equal files are uploaded, merged and deleted');
    const stop = repeat(
      () => this.upload(),
      () => this.takeOver(),
      ...times(DELETERS, () => this.delete()),
      ...times(READERS, () => this.read()),
    );
    this.stack.beforeStop(stop);
    const kills = await killInTurn(this, inTurn(VICTIMS, setting(this.context, 'kills')), () =>
      pause(this.random.integer(1_500, 5_000)),
    );
    await pause(LAST_MS);
    await stop();
    const quiet = await untilQuiet(this.stack, say);
    say('waiting until each picture is stored once');
    const { slugs, stored, wanted } = await this.untilMerged();
    const unserved = await this.readAll();
    say('deleting all media');
    for (const slug of slugs) await this.deleteSurely(slug);
    const empty = await untilQuiet(this.stack, say);
    const left = [...(await this.listOriginals()), ...(await this.findSharedKeys())];
    return {
      figures: [
        kills,
        ['uploads, deletions meanwhile', `${this.living.size + this.deletions}, ${this.deletions}`],
        ['media that shared an original at a time, at most', this.mostSharing],
        ['answers while processes were killed', describeCounts(countBy(this.outcomes))],
        ['media, pictures and stored originals at the end', `${slugs.length}, ${wanted}, ${stored.length}`],
        ['originals left after all media were deleted', left.length],
      ],
      breaches: [
        ...quiet.breaches,
        ...this.violations,
        ...unserved,
        ...(stored.length === wanted ? [] : [`${wanted} pictures are stored as ${stored.join(', ')}`]),
        ...empty.breaches,
        ...left.map((key) => `${key} is left`),
      ],
    };
  }

  private async upload(): Promise<void> {
    const bytes = this.random.pick(this.pictures);
    const { body } = await outcomeOf(this.client.media.upload(bytes));
    if (body) this.living.set(body.slug, bytes);
    await pause(this.random.integer(50, 300));
  }

  private async delete(): Promise<void> {
    const slugs = [...this.living.keys()];
    if (slugs.length > MAX_LIVING || (slugs.length > PICTURES && this.random.integer(0, 2) === 0)) {
      const slug = this.random.pick(slugs);
      this.living.delete(slug);
      this.deletions++;
      await this.deleteSurely(slug);
    }
    await pause(this.random.integer(50, 200));
  }

  /** Deletes a media item, again and again until the API answers that it is gone. */
  private async deleteSurely(slug: string): Promise<void> {
    for (const deadline = Date.now() + RECOVERY_MS; Date.now() < deadline;) {
      const { status } = await outcomeOf(this.client.media.delete(slug));
      if (status === 'done' || status === 404) return;
      await pause(500);
    }
    this.violations.push(`${slug} could not be deleted`);
  }

  /** Lets another process merge immediately after a kill, and counts what is merged. */
  private async takeOver(): Promise<void> {
    const [counted] = await this.query<{ sharing: number }>(
      `with free as (update file_merging set busy_until = least(busy_until, now()))
       select count(*)::int as sharing from media where shared_key is not null`,
    ).catch(() => []);
    this.mostSharing = Math.max(this.mostSharing, counted?.sharing ?? 0);
    await pause(1_000);
  }

  private async read(): Promise<void> {
    const slug = this.random.pick([...this.living.keys(), '']);
    const bytes = this.living.get(slug);
    const outcome = bytes && (await this.ask(slug, bytes));
    // A deletion may have begun meanwhile.
    if (outcome && this.living.has(slug)) {
      this.outcomes.push(outcome);
      if (/^(404|500|other bytes)/.test(outcome)) this.violations.push(`${slug} was answered ${outcome}`);
    }
    await pause(this.random.integer(0, 200));
  }

  private async ask(slug: string, bytes: Buffer): Promise<string> {
    const { status, body } = await open(new URL(`/f/${slug}.jpg`, this.stack.addresses.upload));
    return status === 'done' && !body?.bytes.equals(bytes) ? 'other bytes' : `${status}`;
  }

  /** Waits until each picture that a media item has is stored once, or until it is clear that this doesn't happen. */
  private async untilMerged(): Promise<{
    readonly slugs: readonly string[];
    readonly stored: readonly string[];
    readonly wanted: number;
  }> {
    for (const deadline = Date.now() + RECOVERY_MS; ;) {
      const rows = await this.query<{ slug: string; hash: string }>(
        `select slug, encode(stored_sha256, 'hex') as hash from media`,
      );
      const stored = await this.listOriginals();
      const wanted = new Set(rows.map(({ hash }) => hash)).size;
      if (stored.length === wanted || Date.now() > deadline)
        return { slugs: rows.map(({ slug }) => slug), stored, wanted };
      await pause(1_000);
    }
  }

  private async readAll(): Promise<readonly string[]> {
    const unserved: string[] = [];
    for (const [slug, bytes] of this.living) {
      const outcome = await this.ask(slug, bytes);
      if (outcome !== 'done') unserved.push(`${slug} is answered ${outcome} at the end`);
    }
    return unserved;
  }

  private async listOriginals(): Promise<readonly string[]> {
    const keys: string[] = [];
    for await (const { key } of this.stack.storage.list('f/')) if (!key.includes('_')) keys.push(key);
    return keys;
  }

  private async findSharedKeys(): Promise<readonly string[]> {
    return (await this.query<{ key: string }>('select key from shared_files')).map(
      ({ key }) => `The row of ${key}`,
    );
  }

  private query<Row extends object>(sql: string): Promise<Row[]> {
    return queryWhenBack<Row>(this.stack.databaseUrl, sql);
  }
}

const makePicture = async (index: number): Promise<Buffer> =>
  (await photograph(200, 150, index)).jpeg().toBuffer();
