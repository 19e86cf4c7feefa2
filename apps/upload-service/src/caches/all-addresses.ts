import { addressesOf } from './purge-request';

/** Tells every address of every URL at the same time; throws the first error after all have ended. */
export async function forAllAddresses(
  urls: readonly string[],
  tell: (url: string, address: string) => Promise<void>,
): Promise<void> {
  const told = await Promise.allSettled(
    urls.map(async (url) => {
      const addresses = await addressesOf(url);
      const results = await Promise.allSettled(addresses.map((address) => tell(url, address)));
      throwFirst(results);
    }),
  );
  throwFirst(told);
}

function throwFirst(results: readonly PromiseSettledResult<void>[]): void {
  for (const result of results) if (result.status === 'rejected') throw result.reason as Error;
}
