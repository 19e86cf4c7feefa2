import { ApiTraffic } from './api-traffic';
import type { ChaosStack } from './chaos-stack';
import { inspect } from './inspection';
import { Ledger } from './ledger';
import { type SampleFile, SampleFiles } from './sample-files';
import type { ScenarioContext, Verdict } from './scenario';
import { UploadTraffic } from './upload-traffic';
import { type Outcome, VitrineClient } from './vitrine-client';

export interface TrafficOptions {
  /** Whether that is an answer that a client may get to any request meanwhile, besides success. */
  readonly isExcused: (outcome: Outcome<unknown>) => boolean;
  /** Milliseconds that the clients wait for an answer. */
  readonly patienceMs?: number;
}

const UPLOADS = { uploaders: 3, maxRestMs: 3_000, deletedOneIn: 15 } as const;
const VISITS = { visitors: 4, maxRestMs: 800 } as const;

/** The clients of a scenario: they upload, read, post, comment, vote and delete, some fifteen requests a second. */
export class Traffic {
  readonly ledger = new Ledger();
  private readonly uploads: UploadTraffic;
  private readonly api: ApiTraffic;

  private constructor(
    private readonly stack: ChaosStack,
    readonly client: VitrineClient,
    files: SampleFiles,
    private readonly context: ScenarioContext,
    { isExcused }: TrafficOptions,
  ) {
    const { seed } = context;
    this.uploads = new UploadTraffic(client, files, this.ledger, { ...UPLOADS, seed, isExcused });
    this.api = new ApiTraffic(client, this.ledger, { ...VISITS, seed, isExcused });
  }

  /** Makes the account of the run; nothing is under way before `start`. */
  static async create(
    stack: ChaosStack,
    context: ScenarioContext,
    options: TrafficOptions,
  ): Promise<Traffic> {
    const client = new VitrineClient(stack.addresses, options.patienceMs);
    await client.signUp('chaos', 'a password of the chaos harness');
    const files = await SampleFiles.create();
    if (!files.hasVideo) context.say('no ffmpeg on the PATH: pictures only');
    const traffic = new Traffic(stack, client, files, context, options);
    stack.beforeStop(() => traffic.stop());
    return traffic;
  }

  /** For the first time, or again after `stop`. */
  start(): void {
    this.uploads.start();
    this.api.start();
  }

  /** Lets everybody finish what they are doing. Throws where nothing has been accepted for three minutes. */
  async stop(): Promise<void> {
    await Promise.all([this.uploads.stop(), this.api.stop()]);
  }

  /** Answers 503 so far. */
  get refusals(): number {
    return [...this.ledger.outcomes]
      .filter(([outcome]) => outcome.endsWith(' 503'))
      .reduce((sum, [, count]) => sum + count, 0);
  }

  /** One upload besides, with the others' promises; its slug, where it was accepted. */
  uploadOne(file: SampleFile): Promise<string | undefined> {
    return this.uploads.uploadOne(file);
  }

  /** Waits for quiet, and compares what there is with what was answered. */
  async inspect(quietSeconds: number): Promise<Verdict> {
    const { say } = this.context;
    const uploads = await inspect(this.stack, this.client, this.ledger, { quietSeconds, say });
    const { posts, breaches } = await this.api.inspect();
    return {
      figures: [...uploads.figures, ['posts made and found again', posts]],
      breaches: [...uploads.breaches, ...breaches],
    };
  }
}
