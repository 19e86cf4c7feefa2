import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { multipart, send, type Target } from '../upload/upload-client';
import type { RunningStack } from './running-stack';

const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 300_000;

/** An account that uploads and waits until its media are processed and moderated. */
export class Uploader {
  readonly agent = new Agent({ keepAlive: true, maxSockets: 50 });

  private constructor(
    private readonly url: string,
    readonly token: string,
    private readonly database: Client,
  ) {}

  get target(): Target {
    return { url: this.url, token: this.token, agent: this.agent };
  }

  static async create(stack: RunningStack): Promise<Uploader> {
    const database = new Client({ connectionString: stack.databaseUrl });
    await database.connect();
    return new Uploader(stack.upload, await stack.token(), database);
  }

  /** Uploads files, `atOnce` at a time, and resolves when all uploads are processed and moderated. */
  async live(files: readonly Uint8Array[], atOnce: number): Promise<void> {
    await sendSome(this.target, files, atOnce);
    await this.settled();
  }

  /** Resolves when every media item is processed and a decision has been made about it. */
  async settled(): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const { rows } = await this.database.query<{ left: number }>(
        'select count(*)::int as left from media where decided_at is null',
      );
      const left = rows[0]?.left ?? 0;
      if (left === 0) return;
      if (Date.now() > deadline)
        throw new Error(`${left} uploads were not decided within ${PATIENCE_MS / 1000} s`);
      await pause(LOOK_EVERY_MS);
    }
  }

  async close(): Promise<void> {
    this.agent.destroy();
    await this.database.end();
  }
}

/** Uploads files, `atOnce` at a time. */
export async function sendSome(target: Target, files: readonly Uint8Array[], atOnce: number): Promise<void> {
  const left = [...files];
  const sendNext = async (): Promise<void> => {
    for (let file = left.shift(); file; file = left.shift()) await send(target, multipart(file));
  };
  await Promise.all(Array.from({ length: atOnce }, sendNext));
}
