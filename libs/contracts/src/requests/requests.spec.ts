import fc from 'fast-check';
import * as contracts from '../api';

type RequestClass = new () => object;

const isRequestClass = ([name, value]: readonly [string, unknown]): boolean =>
  /(?:Request|Query)$/.test(name) &&
  typeof value === 'function' &&
  contracts.declaredFields(value as RequestClass).size > 0;

const CLASSES = Object.entries(contracts).filter(isRequestClass) as [string, RequestClass][];

/** Characters that no stored text may contain, in any field. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Includes lists in which only the last item is wrong, because a rule must check every item. */
const anything = fc.oneof(
  fc.anything({ maxDepth: 2 }),
  fc.string({ unit: 'binary' }),
  fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.anything({ maxDepth: 1 }))),
  fc
    .tuple(fc.constantFrom('sunset', 'read', 'aaaaaaa', 1), fc.nat(400), fc.anything({ maxDepth: 1 }))
    .map(([double, times, last]) => [...Array.from({ length: times }, () => double), last]),
);

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) yield* textsIn(one);
}

describe('every request class', () => {
  it('is found', () => expect(CLASSES.length).toBeGreaterThan(15));

  it.each(CLASSES)('never throws, and accepts no text that cannot be stored: %s', (_, type) => {
    const fields = [...contracts.declaredFields(type)];
    const values = fc.record(Object.fromEntries(fields.map((name) => [name, anything])), {
      requiredKeys: [],
    });
    // Also one field at a time, so that a refused field doesn't hide that another one was accepted.
    const single = fc
      .tuple(fc.constantFrom(...fields), anything)
      .map(([name, value]) => ({ media_ids: [1], content: 'x', name: 'x', [name]: value }));
    fc.assert(
      fc.property(fc.oneof(values, single), (value) => {
        const { request } = contracts.readRequest(type, value);
        for (const text of textsIn(request)) expect(UNSTORABLE.test(text)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
