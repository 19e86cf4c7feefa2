import { ApiTraffic } from '../clients/api-traffic';
import type { ChaosStack } from '../stack/chaos-stack';
import { inspect } from '../inspection/inspection';
import { Ledger } from '../clients/ledger';
import { type SampleFile, SampleFiles } from '../clients/sample-files';
import type { ScenarioContext, Verdict } from '../contract/scenario';
import { UploadTraffic } from '../clients/upload-traffic';
import { type RequestOutcome, ChaosClient } from '../clients/chaos-client';

export interface TrafficOptions {
  /** Whether an answer other than success is acceptable during the failure. */
  readonly isExcused: (outcome: RequestOutcome<unknown>) => boolean;
  /** Longest wait of the clients for an answer, in milliseconds. */
  readonly patienceMs?: number;
}

const UPLOADS = { uploaders: 3, maxRestMs: 3_000, deletedOneIn: 15 } as const;
const VISITS = { visitors: 4, maxRestMs: 800 } as const;

/** The clients of a scenario: they upload, read, post, comment, vote and delete, about fifteen requests a second. */
export class Traffic {
  readonly ledger = new Ledger();
  private readonly uploads: UploadTraffic;
  private readonly api: ApiTraffic;

  private constructor(
    private readonly stack: ChaosStack,
    readonly client: ChaosClient,
    files: SampleFiles,
    private readonly context: ScenarioContext,
    { isExcused }: TrafficOptions,
  ) {
    const { seed } = context;
    this.uploads = new UploadTraffic(client, files, this.ledger, { ...UPLOADS, seed, isExcused });
    this.api = new ApiTraffic(client, this.ledger, { ...VISITS, seed, isExcused });
  }

  /** Creates the account of the run. No request is sent before `start`. */
  static async create(
    stack: ChaosStack,
    context: ScenarioContext,
    options: TrafficOptions,
  ): Promise<Traffic> {
    const client = new ChaosClient(stack.addresses, options.patienceMs);
    await client.signUp('chaos', 'a password of the chaos harness');
    const files = await SampleFiles.create();
    if (!files.hasVideo) context.say('no ffmpeg on the PATH: pictures only');
    const traffic = new Traffic(stack, client, files, context, options);
    stack.beforeStop(() => traffic.stop());
    return traffic;
  }

  /** Starts all clients, for the first time or again after `stop`. */
  start(): void {
    this.uploads.start();
    this.api.start();
  }

  /** Stops all clients after their current requests. Throws when no upload was accepted for three minutes. */
  async stop(): Promise<void> {
    await Promise.all([this.uploads.stop(), this.api.stop()]);
  }

  /** The number of answers 503 so far. */
  get refusals(): number {
    return [...this.ledger.outcomes]
      .filter(([outcome]) => outcome.endsWith(' 503'))
      .reduce((sum, [, count]) => sum + count, 0);
  }

  /** Makes one more upload, which is checked like the others. Returns its slug if it was accepted. */
  uploadOne(file: SampleFile): Promise<string | undefined> {
    return this.uploads.uploadOne(file);
  }

  /** Waits until no work is left, and compares the data with the answers. */
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
