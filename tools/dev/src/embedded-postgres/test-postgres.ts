import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from './embedded-postgres';
import { Guard } from './guard';

export interface TestPostgres {
  /** Connection string of the superuser. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Many short connections to small databases: each maps little memory, and no I/O process wakes up for a read. */
const LIGHT = { shared_buffers: '32MB', io_method: 'sync' };

/** A PostgreSQL for one test run, in a temporary folder that is removed however the run ends. */
export async function startTestPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<TestPostgres> {
  const guard = new Guard();
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-'));
  guard.removeAtEnd(folder);
  // Root's PostgreSQL runs as another user, who must be able to enter; the folders inside are private.
  chmodSync(folder, 0o711);
  try {
    const postgres = await EmbeddedPostgres.start(guard, {
      folder: join(folder, 'postgres'),
      superuserPassword: randomBytes(24).toString('base64url'),
      durable: false,
      // Shared stacks keep theirs while they are paused.
      maxConnections: 600,
      settings: { ...LIGHT, ...settings },
    });
    return {
      url: postgres.superuserUrl(),
      stop: async () => {
        await postgres.stop(true);
        await guard.close();
      },
    };
  } catch (error) {
    await guard.close();
    throw error;
  }
}
