import { RedisLink } from './redis-link';

/** Whether the Redis at `url` answers within a second and accepts writes. */
export async function probeRedis(url: string): Promise<boolean> {
  const link = new RedisLink(url, () => undefined);
  try {
    await link.open();
    return link.isUp;
  } finally {
    link.close();
  }
}
