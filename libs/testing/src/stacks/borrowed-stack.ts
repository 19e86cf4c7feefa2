import { connectToStack, type Stack, type StackAddresses, type StackOptions } from './stack';

/**
 * A stack with an empty database. Its processes already exist if an earlier suite has returned a stack with the same
 * settings. For suites that stop no process and read no output. Its `close` returns the stack, whose processes then pause.
 */
export async function borrowStack(options: StackOptions = {}): Promise<Stack> {
  const addresses = (await askKeeper('POST', options)) as StackAddresses;
  const stack = await connectToStack(addresses);
  return {
    ...stack,
    close: async () => {
      await stack.close();
      await askKeeper('DELETE', addresses);
    },
  };
}

/** Takes (POST) a stack with these options, or returns (DELETE) the one with these addresses. */
async function askKeeper(
  ...[method, body]: ['POST', StackOptions] | ['DELETE', StackAddresses]
): Promise<unknown> {
  const keeper = process.env['VITRINE_TEST_STACKS_URL'];
  if (!keeper) throw new Error('VITRINE_TEST_STACKS_URL is not set: run the tests with npm test or npx jest');
  const answer = await fetch(keeper, { method, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}
