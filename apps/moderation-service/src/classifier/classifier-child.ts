import type { PoolAnswer } from './classifier-pool';
import { NsfwModel } from './nsfw-model';
import { decodeForModel } from './picture-pixels';

const say = (answer: PoolAnswer<unknown>): void => void process.send?.(answer);

/** Runs in a separate child process: takes JPEG files, one at a time, and answers with their scores. */
async function serve(): Promise<void> {
  // Only the parent decides when this process ends: a signal to the group must not interrupt a job that it waits for.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  const model = await NsfwModel.load();
  process.on('message', (picture: Uint8Array) => {
    decodeForModel(picture)
      .then((pixels) => model.classify(pixels))
      .then(
        (result) => say({ result }),
        (error: unknown) => say({ error: String(error) }),
      );
  });
  say('ready');
}

void serve();
