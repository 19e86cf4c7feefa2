import { setTimeout as pause } from 'node:timers/promises';
import { type AlternativeRecord, VARIANT_SIZES, type VariantRecord } from '@vitrine/contracts';
import { photograph } from '@vitrine/bench';
import { open, signUp } from '../clients/client';
import { repeat, times } from '../clients/repeat';
import { countBy, describeCounts } from '../contract/results';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { queryWhenBack, untilQuiet } from '../inspection/quiet';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { inTurn } from '../stack/victims';
import { Random } from '@vitrine/demo/random';
import { killInTurn } from './load';

const VICTIMS = ['upload-service', 'media-processor', "media-processor's worker", 'postgres'] as const;
const READERS = 6;
/** Uses are forgotten this often, so that each sweep removes what was made meanwhile. */
const FORGET_MS = 1_000;
const RECOVERY_MS = 150_000;
const ENVIRONMENT = {
  VARIANT_RETENTION_DAYS: '30',
  CLEANUP_INTERVAL_SECONDS: '1',
  ALTERNATIVES_SECONDS_PER_HOUR: '3600',
  SWEEP_INTERVAL_SECONDS: '1',
  BUS_RETRY_DELAYS_MS: '500,1000,2000,4000,8000,8000,8000,8000',
} as const;

/** Variants are removed and made again all the time, and made in other formats, while processes are killed. */
export const retentionScenario: Scenario = {
  name: 'retention',
  promise:
    'If processes are killed (kill -9) while unused sizes are removed and made again, a reader gets the size, the ' +
    'original, or 503 with Retry-After, but never 404. The sizes are also made in WebP and AVIF. Afterwards every size is answered, and the rows say exactly which ' +
    'objects are stored.',
  settings: { pictures: 30, kills: 20, quietSeconds: 60 },
  buses: ['postgres', 'rabbitmq'],
  run: (context) =>
    withStack({ bus: context.bus, env: ENVIRONMENT }, context.say, (stack) =>
      new RetentionRun(stack, context).run(),
    ),
};

interface MediaRow {
  readonly slug: string;
  readonly ext: string;
  readonly variants: readonly VariantRecord[];
  readonly alternatives: readonly AlternativeRecord[];
}

class RetentionRun {
  private readonly random: Random;
  private readonly outcomes: string[] = [];
  private readonly violations: string[] = [];
  private readonly slugs: string[] = [];
  /** Sizes that are stored in other formats at the end. */
  private copies = 0;

  constructor(
    readonly stack: ChaosStack,
    readonly context: ScenarioContext,
  ) {
    this.random = new Random(context.seed + 5);
  }

  async run(): Promise<Verdict> {
    const { say } = this.context;
    await this.upload();
    const before = await untilQuiet(this.stack, say);
    await this.query(`update variant_retention set since = now() - interval '99 days'`);
    say('killing processes while sizes are removed and made again');
    const stop = repeat(() => this.forget(), ...times(READERS, () => this.read()));
    this.stack.beforeStop(stop);
    const kills = await killInTurn(this, inTurn(VICTIMS, setting(this.context, 'kills')), () =>
      pause(this.random.integer(1_000, 4_000)),
    );
    await pause(FORGET_MS);
    await stop();
    say('reading every size');
    const missing = await this.readAll();
    const quiet = await untilQuiet(this.stack, say);
    const waiting = await this.endAlternatives();
    const differing = await this.compareStorage();
    return {
      figures: [
        kills,
        ['answers while processes were killed', describeCounts(countBy(this.outcomes))],
        ['sizes made again', await this.countMade()],
        ['sizes in other formats at the end', this.copies],
        ['objects that differ from the rows', differing.length],
      ],
      breaches: [
        ...before.breaches,
        ...this.violations,
        ...missing,
        ...quiet.breaches,
        ...waiting,
        ...differing,
      ],
    };
  }

  private async upload(): Promise<void> {
    const client = await signUp(this.stack.addresses);
    for (let index = 0; index < setting(this.context, 'pictures'); index++) {
      const bytes = await (await photograph(1000, 750, index)).jpeg().toBuffer();
      this.slugs.push((await client.media.upload(bytes)).slug);
    }
  }

  /** Makes all variants unused, and some media wait for other formats. */
  private async forget(): Promise<void> {
    await this.query(
      `with forgotten as (delete from variant_uses)
       update media set processed_at = now() - interval '98 days', variants_used_at = null where decided_at is not null`,
    ).catch(() => undefined);
    await this.query(
      `insert into alternative_work (media_id, subject, turn) select id, 'chaos', 0 from media where random() < 0.1
       on conflict (media_id) do update set not_before = now()`,
    ).catch(() => undefined);
    await pause(FORGET_MS);
  }

  private async read(): Promise<void> {
    const outcome = await this.ask(this.random.pick(this.slugs), this.random.pick(VARIANT_SIZES));
    this.outcomes.push(outcome);
    if (/^(404|500|416|incomplete)/.test(outcome)) this.violations.push(`A size was answered ${outcome}`);
    await pause(this.random.integer(0, 200));
  }

  private async ask(slug: string, size: string): Promise<string> {
    const { status, body } = await open(new URL(`/f/${slug}_${size}.jpg`, this.stack.addresses.upload));
    if (status !== 'done' || !body) return `${status}`;
    if (!body.bytes.subarray(-2).equals(Buffer.from([0xff, 0xd9]))) return 'incomplete';
    return body.headers.get('Cache-Control')?.includes('immutable') ? '200' : '200 with the original';
  }

  /** Asks for every size until all are answered; returns those that aren't after two and a half minutes. */
  private async readAll(): Promise<readonly string[]> {
    await this.query(`update media set processed_at = now(), variants_used_at = null`);
    let left = this.slugs.flatMap((slug) => VARIANT_SIZES.map((size) => ({ slug, size })));
    for (const deadline = Date.now() + RECOVERY_MS; left.length > 0 && Date.now() < deadline;) {
      const failed: typeof left = [];
      for (const one of left) if ((await this.ask(one.slug, one.size)) !== '200') failed.push(one);
      left = failed;
      if (left.length > 0) await pause(FORGET_MS);
    }
    return left.map(({ slug, size }) => `${slug}_${size} is not answered`);
  }

  /**
   * Has requests repeated at once that were lost with their process; returns a breach if media, or objects to delete, still
   * wait afterwards.
   */
  private async endAlternatives(): Promise<readonly string[]> {
    await this.query(
      `update alternative_work set not_before = now(), requested_at = requested_at - interval '1 hour'`,
    );
    for (const deadline = Date.now() + RECOVERY_MS; ;) {
      // A repeated `media.variants_stored` has the objects of earlier alternatives removed first.
      const [row] = await this.query<{ left: number }>(
        `select ((select count(*) from alternative_work)
               + (select count(*) from variant_work where work = 'removal'))::int as left`,
      );
      if (row?.left === 0) return [];
      if (Date.now() > deadline)
        return [`${row?.left} media or objects still wait for other formats or their removal`];
      await pause(FORGET_MS);
    }
  }

  /** Compares the objects of all variants and alternatives with the rows; returns the differences. */
  private async compareStorage(): Promise<readonly string[]> {
    const rows = await this.query<MediaRow>('select slug, ext, variants, alternatives from media');
    const differing: string[] = [];
    for (const { slug, ext, variants, alternatives } of rows) {
      for (const { key, bytes, removed } of variants) {
        if (key === `f/${slug}.${ext}`) continue;
        const stored = (await this.stack.storage.head(key))?.size ?? null;
        if (stored !== (removed ? null : bytes))
          differing.push(`${key} has ${stored} bytes, its row says ${removed ? 'removed' : bytes}`);
      }
      const copies = new Map(alternatives.map(({ key, bytes }) => [key, bytes]));
      this.copies += copies.size;
      for await (const { key, size } of this.stack.storage.list(`f/${slug}_`)) {
        if (!/\.(webp|avif)$/.test(key)) continue;
        if (copies.get(key) !== size)
          differing.push(`${key} has ${size} bytes, its row says ${copies.get(key)}`);
        copies.delete(key);
      }
      for (const key of copies.keys()) differing.push(`${key} is not stored, but its row says so`);
    }
    return differing;
  }

  private async countMade(): Promise<number> {
    const answer = await fetch(`${this.stack.managementUrl('upload-service')}/metrics`);
    const [, made = '0'] =
      /vitrine_variant_demands_total\{outcome="made"\} (\d+)/.exec(await answer.text()) ?? [];
    return Number(made);
  }

  private query<Row extends object>(sql: string): Promise<Row[]> {
    return queryWhenBack<Row>(this.stack.databaseUrl, sql);
  }
}
